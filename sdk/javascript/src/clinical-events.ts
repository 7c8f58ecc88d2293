import type { Connection } from './connection.js';
import { toSegment, withoutEmpty } from './fields.js';
import type { ClinicalEvent, ClinicalEventList } from './treatments.js';
import type { ClinicalEventOptions, EventWithdrawalOptions } from './follow-up-options.js';
import { keyHeader } from './idempotency-key.js';
import type { AbortSignalLike } from './options.js';
import { woundPath } from './wounds.js';

type Of<Options> = Options & { woundId: string };

const eventsPath = (woundId: unknown): string => `${woundPath(woundId)}/events`;

export function listClinicalEvents(
  connection: Connection,
  woundId: string,
  signal: AbortSignalLike | undefined,
): Promise<ClinicalEventList> {
  return connection.send(
    { method: 'GET', path: eventsPath(woundId), signal },
    connection.json<ClinicalEventList>(({ items }) => Array.isArray(items)),
  );
}

export async function recordClinicalEvent(
  connection: Connection,
  { woundId, signal, idempotencyKey, ...fields }: Of<ClinicalEventOptions>,
): Promise<ClinicalEvent> {
  const headers = await keyHeader(idempotencyKey);
  const request = { method: 'POST', path: eventsPath(woundId), json: withoutEmpty(fields), headers, signal };
  return connection.send(request, connection.json<ClinicalEvent>(isEvent));
}

/** The service takes a repeat for what it is. */
export function withdrawClinicalEvent(
  connection: Connection,
  { woundId, eventId, signal, ...fields }: Of<EventWithdrawalOptions>,
): Promise<ClinicalEvent> {
  const path = `${eventsPath(woundId)}/${toSegment('eventId', eventId)}`;
  return connection.send(
    { method: 'DELETE', path, json: withoutEmpty(fields), signal },
    connection.json<ClinicalEvent>(isEvent),
  );
}

function isEvent({ id, type }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof type === 'string';
}
