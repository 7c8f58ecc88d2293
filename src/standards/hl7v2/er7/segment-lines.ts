import { atOnce, PIECE, type Paced } from '../../../platform/turns/turns.js';

const [CR, LF] = [0x0d, 0x0a];
const NAME_ALONE = /^[A-Z][A-Z0-9]{2}$/;
/** What a sender took for a name. Left out by whoever reads the message. */
const OTHER_NAME = /^[A-Z][A-Z0-9]*$/;
const LONGEST_NAME = 6;
const NAME = /^[A-Za-z][A-Za-z0-9]{2}/;
/** Lines after which others may have their turn: some milliseconds. */
const LINES_AT_ONCE = 10_000;

/**
 * Splits a message into segments, whether they end in CR, LF or both. A line that does not begin with a segment name
 * belongs to the segment before it, line end included: senders wrap Base64 and leave line feeds in texts.
 */
export function* splittingSegments(text: string, fieldSeparator: string): Paced<string[]> {
  const segments: string[] = [];
  for (const range of segmentRanges(text, fieldSeparator)) {
    if (range === null) yield;
    else segments.push(text.slice(...range));
  }
  return segments;
}

/** `splittingSegments` at once. */
export function splitSegments(text: string, fieldSeparator: string): string[] {
  return atOnce(splittingSegments(text, fieldSeparator));
}

/** The range of each segment; null where others may have their turn. Empty lines are ignored: a run of line ends counts as one. */
export function* segmentRanges(
  text: string,
  fieldSeparator: string,
): Generator<readonly [start: number, end: number] | null> {
  let start = 0;
  let end = 0;
  let lines = 0;
  const ends = new LineEnds(text);
  for (let from = 0; from <= text.length;) {
    const to = ends.next(from);
    if (from > 0 && isSegmentStart(text, from, to, fieldSeparator)) {
      yield [start, end];
      start = from;
    }
    if (to > from) end = to;
    from = to + 1;
    while (from < text.length && isLineEnd(text.charCodeAt(from))) {
      from += 1;
      if (from % PIECE === 0) yield null;
    }
    lines += 1;
    if (lines % LINES_AT_ONCE === 0) yield null;
  }
  yield [start, end];
}

/** Line ends by the search of the engine, which passes over long lines quickly. */
class LineEnds {
  private nextCr = -1;
  private nextLf = -1;

  constructor(private readonly text: string) {}

  /** The first at or behind `from`; the end of the text where there is none. */
  next(from: number): number {
    if (this.nextCr < from) this.nextCr = this.find('\r', from);
    if (this.nextLf < from) this.nextLf = this.find('\n', from);
    return Math.min(this.nextCr, this.nextLf);
  }

  private find(wanted: string, from: number): number {
    const found = this.text.indexOf(wanted, from);
    return found === -1 ? this.text.length : found;
  }
}

function isLineEnd(code: number): boolean {
  return code === CR || code === LF;
}

function isSegmentStart(text: string, from: number, to: number, fieldSeparator: string): boolean {
  if (to - from === 3) return NAME_ALONE.test(text.slice(from, to));
  const end = text.slice(from, Math.min(to, from + LONGEST_NAME + 1)).indexOf(fieldSeparator);
  if (end === 3) return NAME.test(text.slice(from, from + 3));
  return end > 1 && OTHER_NAME.test(text.slice(from, from + end));
}
