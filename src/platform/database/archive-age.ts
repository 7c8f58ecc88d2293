/** What PostgreSQL says of its WAL and of the archiver, at one moment. Times are in seconds since 1970, places in bytes of WAL. */
export interface ArchiveReading {
  readonly nowS: number;
  /** The end of what is written. */
  readonly writtenBytes: number;
  readonly segmentBytes: number;
  /** The file that was archived last; null: none was. */
  readonly lastArchived: string | null;
  /** Of that file; before the first, since the figures of the archiver began. */
  readonly archivedAtS: number;
  /** The last attempt failed, and none has succeeded since. */
  readonly isFailing: boolean;
}

/**
 * WAL that PostgreSQL writes into a new segment where nothing happens: the segment's head, a checkpoint, a list of no transactions. It switches for none
 * of them, so that they lie there all night.
 */
const QUIET_BYTES = 512;
/** Between two places that are remembered: a day of a broken archive is 1,440 of them. */
const APART_S = 60;
const SEGMENT_NAME = /^[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})/;
const BYTES_OF_LOG = 2 ** 32;

interface Place {
  readonly bytes: number;
  readonly seenAtS: number;
}

/**
 * The age of the oldest WAL that is in no archive. PostgreSQL tells when it archived last, which is long ago in a night without a write; so this remembers when
 * it first saw WAL behind what is archived.
 */
export class ArchiveAge {
  /** Places behind the archive, oldest first. */
  private places: Place[] = [];
  private isFirst = true;
  private archivedBytes = 0;

  /** 0: nothing waits for the archive. */
  at(reading: ArchiveReading): number {
    const { nowS, writtenBytes, segmentBytes, archivedAtS, isFailing } = reading;
    const archivedBytes = this.archivedTo(reading);
    this.places = this.places.filter(({ bytes }) => bytes > archivedBytes);
    const isQuiet = !isFailing && writtenBytes - archivedBytes <= QUIET_BYTES;
    const wasFirst = this.isFirst;
    this.isFirst = false;
    if (isQuiet) {
      this.places = [];
      return 0;
    }
    const last = this.places.at(-1);
    if (last === undefined) {
      // A process that finds the archive failing, or a whole segment that waits, cannot know for how long: no longer than since the last success.
      const isLate = isFailing || (isSegment(reading) && writtenBytes - archivedBytes > segmentBytes);
      const seenAtS = wasFirst && isLate ? archivedAtS : nowS;
      this.places.push({ bytes: Math.max(writtenBytes, archivedBytes + 1), seenAtS });
    } else if (writtenBytes > last.bytes && nowS - last.seenAtS >= APART_S)
      this.places.push({ bytes: writtenBytes, seenAtS: nowS });
    return Math.max(0, nowS - this.places[0]!.seenAtS);
  }

  /** The label of a back-up is archived after its WAL, and bears the name of the segment in which it began: what is archived grows, unless the database is another's. */
  private archivedTo(reading: ArchiveReading): number {
    const before = this.archivedBytes > reading.writtenBytes ? 0 : this.archivedBytes;
    this.archivedBytes = Math.max(endOf(reading), before);
    return this.archivedBytes;
  }
}

function isSegment({ lastArchived }: ArchiveReading): boolean {
  return /^[0-9A-F]{24}$/.test(lastArchived ?? '');
}

/** The end of the segment that was archived last, whatever is written behind the segment's name; 0: there is none. */
function endOf({ lastArchived, segmentBytes }: ArchiveReading): number {
  const [, log, segment] = SEGMENT_NAME.exec(lastArchived ?? '') ?? [];
  if (log === undefined || segment === undefined) return 0;
  return Number.parseInt(log, 16) * BYTES_OF_LOG + (Number.parseInt(segment, 16) + 1) * segmentBytes;
}
