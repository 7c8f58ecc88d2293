import type { AbortSignalLike } from '../options.js';
import { openAccess, requireTest } from './access.js';
import { Misuse } from './misuse.js';
import { say } from './printing.js';

export interface ClockWish {
  readonly advance?: string;
  readonly set?: string;
  readonly url?: string;
}

/** Says what the clock of the test environment stands at, once it was moved where that was asked for. */
export async function clock({ advance, set, url }: ClockWish, signal: AbortSignalLike): Promise<void> {
  if (advance !== undefined && set !== undefined) throw new Misuse('Give either --advance or --set.');
  const access = openAccess(url);
  requireTest(access, 'clock moves the time of the test environment');
  const to = { ...(advance === undefined ? {} : { advance }), ...(set === undefined ? {} : { now: set }) };
  const isMove = advance !== undefined || set !== undefined;
  const { client } = access;
  const { now, aheadSeconds } = isMove
    ? await client.moveSandboxClock({ ...to, signal })
    : await client.getSandboxClock({ signal });
  say(`${now}  ${aheadText(aheadSeconds)}`);
}

function aheadText(seconds: number): string {
  if (seconds === 0) return 'real time';
  const days = seconds / 86_400;
  return `${Number.isInteger(days) ? days : days.toFixed(2)} days ahead`;
}
