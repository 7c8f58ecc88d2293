import type { Connection } from '../connection.js';
import type { EventPage, LoggedEvent } from '../event-log.js';
import { withQuery } from '../fields.js';
import type { AbortSignalLike } from '../options.js';
import { pauseAfterPassing } from '../retry.js';
import { Failure } from './misuse.js';
import { note } from './printing.js';

const EVENTS = '/api/v1/events';
const WAIT_S = 25;
/** No event is recorded so late, so that the page is empty and says where the log ends. */
const YET_TO_COME = '9999-12-31T23:59:59Z';

/** A page whose service says where to go on. */
export type Feed = EventPage & {
  readonly resumeCursor: string;
  /** What came into the log before it is on this page or on one before; RFC 3339. */
  readonly readTo: string;
};

/** An event may come into the log a little later than it says, and an answer says when it was made in whole seconds. */
const MARGIN_MS = 60_000;

interface FeedQuery {
  readonly cursor?: string | undefined;
  readonly since?: string | undefined;
  readonly type?: string | undefined;
  readonly limit?: number;
}

/** Where the log ends now: what happens from here on is behind it. */
export function endOfLog(connection: Connection, signal: AbortSignalLike): Promise<Feed> {
  return readOnce(connection, { since: YET_TO_COME, limit: 1 }, 0, signal);
}

/** The next page; with `waitS` the service holds an empty one back so long. Errors of the service as they are. */
async function readOnce(
  connection: Connection,
  query: FeedQuery,
  waitS: number,
  signal: AbortSignalLike,
): Promise<Feed> {
  let answeredMs = connection.settings.time.now();
  const read = connection.json<EventPage>(({ items }) => Array.isArray(items));
  const page = await connection.sendOnce(
    {
      method: 'GET',
      path: withQuery(EVENTS, query),
      signal,
      ...(waitS === 0 ? {} : { headers: { prefer: `wait=${waitS}` } }),
    },
    (response, watch) => {
      // The service's own clock, where nothing in between has taken it away.
      const date = Date.parse(response.headers.get('date') ?? '');
      if (Number.isFinite(date)) answeredMs = date;
      return read(response, watch);
    },
  );
  if (page.resumeCursor === undefined)
    throw new Failure('This service does not say where its log of events goes on: it is of an older release.');
  const last = page.nextCursor === null ? undefined : page.items.at(-1);
  const readTo = last?.recordedAt ?? new Date(answeredMs - MARGIN_MS).toISOString();
  return { ...page, resumeCursor: page.resumeCursor, readTo };
}

/** An empty answer that was not held back: by the service, where too many wait, or by what stands between. */
const AT_ONCE_MS = 1000;
const UNHELD_PAUSE_MS = 2000;

/** As readOnce, through outages and restarts of the service, for as long as they last. */
export async function readPage(connection: Connection, query: FeedQuery, signal: AbortSignalLike): Promise<Feed> {
  const { time } = connection.settings;
  for (let failures = 0; ; failures += 1) {
    const askedMs = time.now();
    try {
      const page = await readOnce(connection, query, WAIT_S, signal);
      if (failures > 0) note('The service answers again.');
      if (page.items.length === 0 && time.now() - askedMs < AT_ONCE_MS) await time.sleep(UNHELD_PAUSE_MS, signal);
      return page;
    } catch (fault) {
      const pauseMs = signal.aborted
        ? null
        : pauseAfterPassing(fault, failures, { time, maxRetryAfterMs: Number.POSITIVE_INFINITY });
      if (pauseMs === null) throw fault;
      if (failures === 0) note(`${(fault as Error).message} It is asked again until it answers.`);
      await time.sleep(pauseMs, signal);
    }
  }
}

/** Every event behind a place, and then each as it happens. Ends by the signal, with its reason. */
export async function* followEvents(
  connection: Connection,
  from: FeedQuery,
  signal: AbortSignalLike,
): AsyncGenerator<LoggedEvent, never, undefined> {
  let query = from;
  for (;;) {
    const page = await readPage(connection, query, signal);
    yield* page.items;
    query = { cursor: page.resumeCursor, type: from.type };
  }
}
