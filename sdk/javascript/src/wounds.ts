import type { Connection } from './connection.js';
import { ConflictError } from './errors.js';
import { toSegment, withoutEmpty, withQuery } from './fields.js';
import type { Wound, WoundDetails, WoundPage, WoundTimeline } from './follow-up.js';
import type {
  ListWoundsOptions,
  MergeWoundOptions,
  PeriodOptions,
  WoundClosingOptions,
  WoundDecisionOptions,
  WoundFilter,
} from './follow-up-options.js';
import type { AbortSignalLike, CallOptions } from './options.js';
import { allPages } from './pages.js';
import { withRetries } from './retry.js';

const WOUNDS = '/api/v1/wounds';

type Of<Options> = Options & { woundId: string };

export const woundPath = (woundId: unknown): string => `${WOUNDS}/${toSegment('woundId', woundId)}`;

function isWound({ id, status }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof status === 'string';
}

export function listWounds(connection: Connection, { signal, ...filter }: ListWoundsOptions): Promise<WoundPage> {
  return connection.send(
    { method: 'GET', path: withQuery(WOUNDS, filter), signal },
    connection.json<WoundPage>(({ items }) => Array.isArray(items)),
  );
}

export function iterateWounds(
  connection: Connection,
  filter: WoundFilter & CallOptions,
): AsyncGenerator<Wound, void, undefined> {
  return allPages((cursor) => listWounds(connection, { ...filter, ...cursor }));
}

export function readWound(
  connection: Connection,
  woundId: string,
  signal: AbortSignalLike | undefined,
): Promise<WoundDetails> {
  return connection.send({ method: 'GET', path: woundPath(woundId), signal }, connection.json<WoundDetails>(isWound));
}

export function readTimeline(
  connection: Connection,
  { woundId, signal, ...period }: Of<PeriodOptions>,
): Promise<WoundTimeline> {
  const path = withQuery(`${woundPath(woundId)}/timeline`, period);
  return connection.send(
    { method: 'GET', path, signal },
    connection.json<WoundTimeline>(({ assessments }) => Array.isArray(assessments)),
  );
}

/** Closing and reopening: the service takes a repeat for what it is. */
export function decide(
  connection: Connection,
  action: 'close' | 'reopen',
  { woundId, signal, ...fields }: Of<WoundClosingOptions>,
): Promise<WoundDetails> {
  const request = { method: 'POST', path: `${woundPath(woundId)}/${action}`, json: withoutEmpty(fields), signal };
  return connection.send(request, connection.json<WoundDetails>(isWound));
}

export function mergeWound(connection: Connection, options: Of<MergeWoundOptions>): Promise<WoundDetails> {
  return joinOrPart(connection, 'merge', options, options.into);
}

export function unmergeWound(connection: Connection, options: Of<WoundDecisionOptions>): Promise<WoundDetails> {
  return joinOrPart(connection, 'unmerge', options, null);
}

/** The service refuses to do these twice: a repeat that is refused may only say that an earlier attempt did it, and its answer was lost. */
async function joinOrPart(
  connection: Connection,
  action: string,
  { woundId, signal, ...fields }: Of<WoundDecisionOptions>,
  mergedInto: string | null,
): Promise<WoundDetails> {
  const request = { method: 'POST', path: `${woundPath(woundId)}/${action}`, json: withoutEmpty(fields), signal };
  const read = connection.json<WoundDetails>(isWound);
  let repeats = 0;
  try {
    return await withRetries(connection.settings, signal, (failures) => {
      repeats = failures;
      return connection.sendOnce(request, read, failures);
    });
  } catch (fault) {
    if (repeats === 0 || !(fault instanceof ConflictError)) throw fault;
    const wound = await readWound(connection, woundId, signal);
    if ((wound.mergedInto ?? null) !== mergedInto) throw fault;
    return wound;
  }
}
