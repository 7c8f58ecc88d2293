import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Failure } from './misuse.js';

/** How far a listener has come in a log. */
export interface Place {
  /** Of service, key and receiver. */
  readonly fingerprint: string;
  /** The type that was asked for; null: all. */
  readonly type: string | null;
  /** Of the page that is being forwarded; null: none yet, it begins at `since`. */
  readonly cursor: string | null;
  readonly since: string | null;
  /** Ids of that page that were taken. */
  readonly taken: readonly string[];
  /** The last `data.sequence`. */
  readonly sequence: number;
  /** `recordedAt` of the last event; null: none yet. */
  readonly lastAt: string | null;
  /** Everything that came into the log before this moment of the service's clock was on a page before `cursor`. Absent: kept by an older release. */
  readonly readTo?: string;
}

/** The file in which a listener keeps its place: written whole or not at all, and for this user alone. It holds no key and no secret. */
export class PlaceFile {
  constructor(readonly path: string) {}

  /** null: there is none. Failure for a file that is none, or of another service, key, receiver or type. */
  async read(fingerprint: string, type: string | null): Promise<Place | null> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (fault) {
      if ((fault as { code?: unknown }).code === 'ENOENT') return null;
      throw fault;
    }
    const place = placeIn(text);
    if (place === null) throw new Failure(`${this.path} is no file of sutura listen. Give another one by --state.`);
    if (place.fingerprint !== fingerprint || place.type !== type)
      throw new Failure(
        `${this.path} keeps the place of a listener with another service, key, receiver or type. Give another file by --state: with --since ${since(place)} to go on where that one was left, as after a new key (events of that moment come again), without it to begin with now.`,
      );
    return place;
  }

  async write(place: Place): Promise<void> {
    const unfinished = `${this.path}.${randomUUID()}.part`;
    try {
      await writeFile(unfinished, `${JSON.stringify(place)}\n`, { mode: 0o600 });
      await rename(unfinished, this.path);
    } catch (fault) {
      await rm(unfinished, { force: true });
      throw fault;
    }
  }
}

/** From where nothing is missed, and little comes twice. */
function since({ lastAt, readTo, since: begun }: Place): string {
  const last = lastAt ?? readTo ?? begun;
  return typeof last === 'string' && Number.isFinite(Date.parse(last)) ? new Date(last).toISOString() : 'TIME';
}

function placeIn(text: string): Place | null {
  try {
    const place = JSON.parse(text) as Place | null;
    const isPlace =
      typeof place?.fingerprint === 'string' &&
      (typeof place.cursor === 'string' || typeof place.since === 'string') &&
      Array.isArray(place.taken) &&
      Number.isSafeInteger(place.sequence);
    return isPlace ? place : null;
  } catch {
    return null;
  }
}
