import type { LoggedEvent } from '../event-log.js';
import { allPages } from '../pages.js';
import type { AbortSignalLike } from '../options.js';
import { openAccess, requireSaid } from './access.js';
import { followEvents } from './event-feed.js';
import { lineOf, say } from './printing.js';

export interface LogsWish {
  readonly since?: string;
  readonly type?: string;
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly live?: boolean;
  readonly url?: string;
}

const DAY_MS = 86_400_000;

/** Prints what happened, oldest first; with --follow also what happens, until the signal ends it. */
export async function logs(wish: LogsWish, signal: AbortSignalLike): Promise<void> {
  const access = openAccess(wish.url);
  requireSaid(access, wish.live === true, 'events tell ids, areas and verdicts');
  const { connection, client } = access;
  const { type } = wish;
  const since = wish.since ?? new Date(connection.settings.time.now() - DAY_MS).toISOString();
  const show = (event: LoggedEvent): void => say(wish.json === true ? JSON.stringify(event) : lineOf(event));
  if (wish.follow === true) {
    for await (const event of followEvents(connection, { since, type }, signal)) show(event);
    return;
  }
  const filter = { since, limit: 100, ...(type === undefined ? {} : { type: type as LoggedEvent['type'] }) };
  for await (const event of allPages((cursor) => client.listEvents({ ...filter, ...cursor, signal }))) show(event);
}
