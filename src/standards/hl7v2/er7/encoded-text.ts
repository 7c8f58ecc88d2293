import { PIECE, type Paced } from '../../../platform/turns/turns.js';

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [DOT, LETTER_X, LETTER_B, LETTER_R] = [0x2e, 0x58, 0x42, 0x52];
/** Characters of an escape sequence of line ends in hexadecimal; real ones have two or four. */
const LONGEST_SEQUENCE = 1024;
/** Line ends and blanks in hexadecimal. */
const HEX_LINE_ENDS: readonly string[] = ['0D', '0A', '09', '20'];

/** Base64 or hexadecimal as it stands in a message, without what stands between its lines. */
export interface CompactText {
  readonly text: string;
  /** Characters before the first line end or blank; all of them where there is none. */
  readonly firstLine: number;
}

/**
 * A text of a message without line ends and blanks, as they are or as escape sequences (`\\.br\\`, `\\X0D0A\\`, and `\\X0D\\X0A\\`, where one escape
 * character ends the first sequence and begins the second). null where a character is not ASCII. One pass, in pieces.
 */
export function* compacting(raw: string, escape: string): Paced<CompactText | null> {
  if (isCompact(raw, escape)) return { text: raw, firstLine: raw.length };
  yield;
  const mark = escape.charCodeAt(0);
  const kept = Buffer.allocUnsafe(raw.length);
  let length = 0;
  let firstLine = -1;
  for (let at = 0, pause = PIECE; at < raw.length;) {
    for (; at < Math.min(pause, raw.length);) {
      const code = raw.charCodeAt(at);
      const end = code === mark ? endOfLineEnds(raw, at, mark) : at;
      if (end > at) at = end;
      else {
        at += 1;
        if (code === CR || code === LF || code === SPACE || code === TAB) {
          if (firstLine === -1 && length > 0) firstLine = length;
        } else if (code > 0x7f) return null;
        else kept[length++] = code;
      }
    }
    pause = at + PIECE;
    yield;
  }
  return { text: kept.toString('latin1', 0, length), firstLine: firstLine === -1 ? length : firstLine };
}

/** Most senders write a file in one line: then the searches of the engine are all there is to do. */
function isCompact(raw: string, escape: string): boolean {
  return (
    ![escape, '\r', '\n', ' ', '\t'].some((one) => raw.includes(one)) && Buffer.byteLength(raw, 'utf8') === raw.length
  );
}

/** The position behind the sequences of line ends that begin at the escape character here; the same position where none does. */
function endOfLineEnds(raw: string, start: number, mark: number): number {
  let end = start;
  for (let from = start; ;) {
    const behind = endOfSequence(raw, from + 1);
    if (behind === from + 1 || raw.charCodeAt(behind) !== mark) return end;
    end = behind + 1;
    from = behind;
  }
}

/** The position behind `.br` or `X0D0A`; `from` where neither stands there. */
function endOfSequence(raw: string, from: number): number {
  const first = upper(raw.charCodeAt(from));
  if (first === DOT)
    return upper(raw.charCodeAt(from + 1)) === LETTER_B && upper(raw.charCodeAt(from + 2)) === LETTER_R
      ? from + 3
      : from;
  if (first !== LETTER_X) return from;
  let at = from + 1;
  while (at - from < LONGEST_SEQUENCE && HEX_LINE_ENDS.includes(raw.slice(at, at + 2).toUpperCase())) at += 2;
  return at === from + 1 ? from : at;
}

function upper(code: number): number {
  return code >= 0x61 && code <= 0x7a ? code - 0x20 : code;
}
