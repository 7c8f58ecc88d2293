import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startGateway } from '../lib/gateway.mjs';
import { runImageFlows } from '../lib/image-flow.mjs';
import { timeRequests } from '../lib/load-http.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { describeLatencies } from '../lib/statistics.mjs';
import { createTenants, uploadPhoto, waitForJob } from '../lib/tenants.mjs';

const PATIENTS = 20;
const VISITS = 3;
const CALLS_PER_S = 10;
const LANES = 4;
const LIMIT_MS = 300;
/** A token lives five minutes at most. */
const LIFE_S = 290;
const DAY_MS = 86_400_000;
const ALGORITHM = 'ES384';
const SYSTEM = 'https://hospital.example/mrn';
const SERVICE = '/cds-services/sutura-wound-patient-view';

/** Cards of CDS Hooks for a chart that is opened, idle and beside whole flows of photos that keep the workers busy. */
export const s20 = {
  id: 's20',
  name: 'cards for an open chart',
  unit: 'ms',
  goal: `p95 of a card beside load at most ${LIMIT_MS} ms`,
  async run({ postgres, secs, rounds }) {
    const databaseUrl = await postgres.createDatabase();
    const env = { SUTURA_EHR_NETWORKS: '127.0.0.0/8', SUTURA_WORKER_PROCESSES: '1' };
    const gateway = await startGateway({ databaseUrl, env });
    const ehr = await startEhr();
    try {
      const [tenant] = await createTenants(gateway, 1);
      await gateway.admin('POST', `/organizations/${tenant.organizationId}/ehrs`, {
        name: 'Bench',
        environment: 'test',
        fhirBaseUrl: ehr.base,
        patientSystem: SYSTEM,
        cds: { enabled: true, issuer: ehr.issuer, jwksUrl: ehr.keySetUrl },
      });
      const photos = await drawPhotos(['1 MP']);
      await photographed(gateway, tenant, photos[0].bytes);
      const cards = await cardsOf(gateway, ehr);
      const lengthS = Math.min(secs * rounds, LIFE_S / 3);
      const asked = async () => {
        const calls = await signed(gateway, ehr, lengthS);
        const next = () => calls.pop() ?? outOfCalls();
        const load = { url: gateway.baseUrl, lanes: LANES, secs: lengthS, perSecond: CALLS_PER_S, next };
        return describeLatencies(await timeRequests(load));
      };
      const idleMs = await asked();
      const [besideMs, flows] = await Promise.all([
        asked(),
        runImageFlows({ gateway, databaseUrl, tenant, photos, processes: 1, secs: lengthS }),
      ]);
      const passed = besideMs.p95 <= LIMIT_MS && cards === PATIENTS && flows.images > 0;
      return { ratio: null, idleMs, besideMs, imagesPerSecond: flows.perSecond, cards, passed };
    } finally {
      await ehr.stop();
      await gateway.stop();
    }
  },
};

/** An EHR of which a gateway reads nothing but its keys. */
async function startEhr() {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = randomUUID();
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' }] });
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.end(keys);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const base = `http://127.0.0.1:${server.address().port}/fhir`;
  return {
    base,
    issuer: `${base}/cds`,
    keySetUrl: `${base}/jwks.json`,
    sign: (address) =>
      new SignJWT({ iss: `${base}/cds`, aud: address, jti: randomUUID() })
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime(`${LIFE_S} s`)
        .sign(privateKey),
    stop: () => new Promise((stopped) => server.close(stopped)),
  };
}

/** Every patient has one wound, whose reports wait for a clinician: that is what its card says. */
async function photographed(gateway, tenant, bytes) {
  const headers = { authorization: tenant.authorization, 'content-type': 'application/json' };
  for (let at = 0; at < PATIENTS * VISITS; at += 1) {
    const capturedAt = new Date(Date.now() - (VISITS - Math.floor(at / PATIENTS)) * 7 * DAY_MS).toISOString();
    const subject = { patientId: `P-${at % PATIENTS}`, patientSystem: SYSTEM, woundId: 'W1' };
    const imageId = await uploadPhoto(gateway, tenant, bytes);
    const body = JSON.stringify({ imageId, subject, capturedAt, calibration: { mmPerPixel: 0.2 } });
    const answer = await fetch(`${gateway.baseUrl}/api/v1/analysis/jobs`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(`create: ${answer.status} ${await answer.text()}`);
    const { status } = await waitForJob(gateway, tenant, (await answer.json()).id);
    if (status !== 'completed') throw new Error(`A job is ${status}.`);
  }
}

async function callFor(gateway, ehr, patient) {
  const body = JSON.stringify({
    hook: 'patient-view',
    hookInstance: randomUUID(),
    fhirServer: ehr.base,
    context: { userId: 'Practitioner/1', patientId: patient },
    prefetch: {
      patient: { resourceType: 'Patient', id: patient, identifier: [{ system: SYSTEM, value: patient }] },
    },
  });
  const headers = {
    authorization: `Bearer ${await ehr.sign(`${gateway.baseUrl}${SERVICE}`)}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return { method: 'POST', path: SERVICE, headers, body };
}

/** As many calls as will be sent, and some more, each with a token of its own, made before anything is measured. */
async function signed(gateway, ehr, secs) {
  const calls = [];
  while (calls.length < Math.ceil(secs * CALLS_PER_S) + LANES)
    calls.push(await callFor(gateway, ehr, `P-${calls.length % PATIENTS}`));
  return calls;
}

function outOfCalls() {
  throw new Error('More calls were asked for than were signed.');
}

/** How many cards all patients have together. */
async function cardsOf(gateway, ehr) {
  let count = 0;
  for (let at = 0; at < PATIENTS; at += 1) {
    const { path, ...call } = await callFor(gateway, ehr, `P-${at}`);
    const answer = await fetch(`${gateway.baseUrl}${path}`, call);
    if (answer.status !== 200) throw new Error(`cards: ${answer.status} ${await answer.text()}`);
    count += (await answer.json()).cards.length;
  }
  return count;
}
