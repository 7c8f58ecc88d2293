import type { Connection } from './connection.js';
import { toSegment, withoutEmpty } from './fields.js';
import type { ClinicalEventList } from './treatments.js';
import { keyHeader } from './idempotency-key.js';
import type { AbortSignalLike, CallOptions } from './options.js';
import { woundPath } from './wounds.js';

export function listClinicalEvents(
  connection: Connection,
  woundId: string,
  signal: AbortSignalLike | undefined,
): Promise<ClinicalEventList> {
  return connection.send(
    { method: 'GET', path: `${woundPath(woundId)}/events`, signal },
    connection.json<ClinicalEventList>(({ items }) => Array.isArray(items)),
  );
}

/** What is stated of a wound: an event, or what it grew together with or fell into. */
export async function state<Answer>(
  connection: Connection,
  action: 'events' | 'join' | 'split',
  { woundId, signal, idempotencyKey, ...fields }: CallOptions & { woundId: string; idempotencyKey?: string },
): Promise<Answer> {
  const headers = await keyHeader(idempotencyKey);
  const path = `${woundPath(woundId)}/${action}`;
  const request = { method: 'POST', path, json: withoutEmpty(fields), headers, signal };
  return connection.send(request, connection.json<Answer>(isStated));
}

/** The service takes a repeat for what it is. */
export function takeBack<Answer>(
  connection: Connection,
  list: 'events' | 'relations',
  name: 'eventId' | 'relationId',
  { woundId, signal, ...given }: CallOptions & { woundId: string; note?: string | null; by?: object | null },
): Promise<Answer> {
  const { [name]: id, ...fields } = given as typeof given & Record<typeof name, string>;
  const path = `${woundPath(woundId)}/${list}/${toSegment(name, id)}`;
  return connection.send(
    { method: 'DELETE', path, json: withoutEmpty(fields), signal },
    connection.json<Answer>(isStated),
  );
}

function isStated({ id, type, kind }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof (type ?? kind) === 'string';
}
