import type { AbortSignalLike } from '../options.js';
import { openAccess, requireSaid, type Access } from './access.js';
import { endOfLog, readPage } from './event-feed.js';
import { forward, keyOfSecret, receiverAddress, type Receiver } from './forwarding.js';
import { PlaceFile, type Place } from './place.js';
import { note } from './printing.js';

export interface ListenWish {
  readonly 'forward-to'?: string;
  readonly type?: string;
  readonly since?: string;
  readonly state?: string;
  readonly live?: boolean;
  readonly url?: string;
}

const STATE = '.sutura-listen.json';
const HOUR_MS = 3_600_000;
/** While nothing happens, it is written down so often up to where the log was read. */
const WRITE_AFTER_MS = HOUR_MS;

interface Way {
  readonly file: PlaceFile;
  readonly receiver: Receiver;
  readonly signal: AbortSignalLike;
}

/** Forwards events to a receiver until the signal ends it. */
export async function listen(wish: ListenWish, signal: AbortSignalLike): Promise<void> {
  const access = openAccess(wish.url);
  const url = receiverAddress(wish['forward-to'], access.isTest);
  requireSaid(access, wish.live === true, 'events tell ids, areas and verdicts');
  const own = process.env['SUTURA_WEBHOOK_SECRET'];
  const secret = own === undefined || own === '' ? access.signingSecret : own.trim();
  keyOfSecret(secret);
  const file = new PlaceFile(wish.state ?? STATE);
  const place = await beginning(access, { file, fingerprint: access.fingerprintOf(url) }, wish, signal);
  note(`Signed with ${secret === access.signingSecret ? secret : 'the secret in SUTURA_WEBHOOK_SECRET'}`);
  await forwardAll(access, place, { file, receiver: { url, secret }, signal });
}

/** Where it was left, else at --since, else now. */
async function beginning(
  { connection, client }: Access,
  { file, fingerprint }: { readonly file: PlaceFile; readonly fingerprint: string },
  { type = null, since = null }: { readonly type?: string | null; readonly since?: string | null },
  signal: AbortSignalLike,
): Promise<Place> {
  const kept = await file.read(fingerprint, type);
  if (kept !== null) {
    note(
      `Events of ${client.baseUrl} from where ${file.path} was left${since === null ? '' : '; --since is not used'}.`,
    );
    return kept;
  }
  const end = since === null ? await endOfLog(connection, signal) : null;
  note(`Events of ${client.baseUrl} from ${since ?? 'now'} on; the place is kept in ${file.path}.`);
  const [cursor, readTo] = end === null ? [null, since] : [end.resumeCursor, end.readTo];
  const place = {
    fingerprint,
    type,
    cursor,
    since,
    taken: [],
    sequence: 0,
    lastAt: null,
    ...(readTo === null ? {} : { readTo }),
  };
  await file.write(place);
  return place;
}

async function forwardAll({ connection }: Access, from: Place, { file, receiver, signal }: Way): Promise<never> {
  const { time } = connection.settings;
  let place = from;
  for (let writtenMs = msOf(from.readTo); ;) {
    const { cursor, since, type } = place;
    const query = { ...(cursor === null ? { since: since ?? undefined } : { cursor }), type: type ?? undefined };
    const page = await readPage(connection, query, signal);
    const gap = gapBefore(place, page.keptSince);
    if (gap !== null) note(gap);
    for (const event of page.items.filter(({ id }) => !from.taken.includes(id))) {
      const sequence = place.sequence + 1;
      await forward(receiver, event, sequence, { time, signal });
      place = { ...place, sequence, taken: [...place.taken, event.id], lastAt: event.recordedAt };
      await file.write(place);
    }
    const { resumeCursor, readTo } = page;
    place = { ...place, cursor: resumeCursor, since: null, taken: [], readTo };
    if (resumeCursor === cursor && msOf(readTo) - writtenMs < WRITE_AFTER_MS) continue;
    await file.write(place);
    writtenMs = msOf(readTo);
  }
}

const msOf = (moment: string | undefined): number => Date.parse(moment ?? '') || 0;

/** What is said of events that left the log before they were read; null: none did. */
export function gapBefore({ lastAt, readTo }: Pick<Place, 'lastAt' | 'readTo'>, keptSince: string): string | null {
  const last = readTo ?? lastAt ?? undefined;
  const missedMs = msOf(keptSince) - msOf(last);
  if (last === undefined || missedMs <= 0) return null;
  const hours = Math.ceil(missedMs / HOUR_MS);
  const length = hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
  return `NOT FORWARDED: what happened between ${last} and ${keptSince} (${length}) has left the log and cannot be told any more. Read the records of that time, as by GET /api/v1/analysis/jobs?createdAfter=${encodeURIComponent(last)}; what happened later is forwarded.`;
}
