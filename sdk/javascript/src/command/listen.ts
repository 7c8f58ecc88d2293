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
  const place = await beginning(access, file, wish, signal);
  note(`Signed with ${secret === access.signingSecret ? secret : 'the secret in SUTURA_WEBHOOK_SECRET'}`);
  await forwardAll(access, place, { file, receiver: { url, secret }, signal });
}

/** Where it was left, else at --since, else now. */
async function beginning(
  { connection, fingerprint, client }: Access,
  file: PlaceFile,
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
  const cursor = since === null ? await endOfLog(connection, signal) : null;
  note(`Events of ${client.baseUrl} from ${since ?? 'now'} on; the place is kept in ${file.path}.`);
  const place = { fingerprint, type, cursor, since, taken: [], sequence: 0, lastAt: null };
  await file.write(place);
  return place;
}

async function forwardAll({ connection }: Access, from: Place, { file, receiver, signal }: Way): Promise<never> {
  const { time } = connection.settings;
  for (let [place, isFirst] = [from, true]; ; isFirst = false) {
    const { cursor, since, type } = place;
    const query = { ...(cursor === null ? { since: since ?? undefined } : { cursor }), type: type ?? undefined };
    const page = await readPage(connection, query, signal);
    if (isFirst) noteGap(place, page.keptSince);
    for (const event of page.items.filter(({ id }) => !from.taken.includes(id))) {
      const sequence = place.sequence + 1;
      await forward(receiver, event, sequence, { time, signal });
      place = { ...place, sequence, taken: [...place.taken, event.id], lastAt: event.recordedAt };
      await file.write(place);
    }
    if (page.resumeCursor === cursor) continue;
    place = { ...place, cursor: page.resumeCursor, since: null, taken: [] };
    await file.write(place);
  }
}

function noteGap({ lastAt }: Place, keptSince: string): void {
  if (lastAt !== null && keptSince > lastAt)
    note(
      `The log has nothing from before ${keptSince}: what happened between ${lastAt} and then may be missing here. Read the records.`,
    );
}
