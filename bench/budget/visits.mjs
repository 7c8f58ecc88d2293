import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../lib/postgres-server.mjs';
import { uploadPhoto, waitForJob } from '../lib/tenants.mjs';

/** Handled events are struck off within half a second. */
const SETTLED_MS = 1500;

/** A photo of a patient's wound through the native API, from the upload address to the completed job; the job's id. */
export async function photograph({ gateway, tenant, bytes, patientId, capturedAt }) {
  const imageId = await uploadPhoto(gateway, tenant, bytes);
  const answer = await fetch(`${gateway.baseUrl}/api/v1/analysis/jobs`, {
    method: 'POST',
    headers: { authorization: tenant.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ imageId, capturedAt, subject: { patientId, woundId: 'W1', laterality: 'left' } }),
  });
  if (answer.status !== 201) throw new Error(`create: ${answer.status} ${await answer.text()}`);
  const { id } = await answer.json();
  await waitForJob(gateway, tenant, id);
  return id;
}

/** Resolves once nothing is owed to anybody, after `settledMs` at the earliest. */
export async function untilSettled(databaseUrl, settledMs = SETTLED_MS) {
  await pause(settledMs);
  for (;;) {
    const [{ owed }] = await query(databaseUrl, 'select count(*)::int as owed from outbox_events');
    if (owed === 0) return;
    await pause(100);
  }
}
