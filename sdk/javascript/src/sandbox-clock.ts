import type { Connection } from './connection.js';
import { withoutEmpty } from './fields.js';
import { keyHeader } from './idempotency-key.js';
import type { CallOptions } from './options.js';
import type { MoveClockOptions, SandboxClock } from './sandbox.js';

const CLOCK = '/api/v1/sandbox/clock';

const isClock = ({ now }: Record<string, unknown>): boolean => typeof now === 'string';

export function readClock(connection: Connection, { signal }: CallOptions): Promise<SandboxClock> {
  return connection.send({ method: 'GET', path: CLOCK, signal }, connection.json<SandboxClock>(isClock));
}

export async function moveClock(
  connection: Connection,
  { advance, now, idempotencyKey, signal }: MoveClockOptions,
): Promise<SandboxClock> {
  const headers = await keyHeader(idempotencyKey);
  const json = withoutEmpty({ advance, now: now instanceof Date ? now.toISOString() : now });
  const request = { method: 'POST', path: CLOCK, json, headers, signal };
  return connection.send(request, connection.json<SandboxClock>(isClock));
}
