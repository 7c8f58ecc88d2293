import type { Connection } from './connection.js';
import { toSegment, withoutEmpty } from './fields.js';
import type { RelationWithdrawalOptions, WoundJoinOptions, WoundSplitOptions } from './follow-up-options.js';
import { keyHeader } from './idempotency-key.js';
import type { WoundRelation } from './relations.js';
import { woundPath } from './wounds.js';

type Of<Options> = Options & { woundId: string };

/** `join` and `split`. */
export async function relateWounds(
  connection: Connection,
  action: 'join' | 'split',
  { woundId, signal, idempotencyKey, ...fields }: Of<WoundJoinOptions> | Of<WoundSplitOptions>,
): Promise<WoundRelation> {
  const headers = await keyHeader(idempotencyKey);
  const path = `${woundPath(woundId)}/${action}`;
  const request = { method: 'POST', path, json: withoutEmpty(fields), headers, signal };
  return connection.send(request, connection.json<WoundRelation>(isRelation));
}

/** The service takes a repeat for what it is. */
export function withdrawWoundRelation(
  connection: Connection,
  { woundId, relationId, signal, ...fields }: Of<RelationWithdrawalOptions>,
): Promise<WoundRelation> {
  const path = `${woundPath(woundId)}/relations/${toSegment('relationId', relationId)}`;
  return connection.send(
    { method: 'DELETE', path, json: withoutEmpty(fields), signal },
    connection.json<WoundRelation>(isRelation),
  );
}

function isRelation({ id, kind }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof kind === 'string';
}
