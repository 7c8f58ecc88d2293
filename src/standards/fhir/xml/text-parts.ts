import { notWellFormed, refused } from './xml-faults.js';

const [LF, CR] = [0x0a, 0x0d];
const DECLARATION =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([\w.-]{1,40})"|'([\w.-]{1,40})'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y;
/** Characters of the longest reference that is read. */
const REFERENCE_LENGTH = 11;

/** The position behind the XML declaration, 0 without one. `request.invalid` for another version or encoding than 1.0 and UTF-8. */
export function endOfDeclaration(text: string): number {
  if (!/^<\?xml[ \t\r\n]/.test(text.slice(0, 6))) return 0;
  DECLARATION.lastIndex = 0;
  const found = DECLARATION.exec(text);
  if (found === null) throw notWellFormed(text, 0);
  const encoding = found[1] ?? found[2] ?? 'utf-8';
  if (!/^(?:utf-?8|us-ascii|ascii)$/i.test(encoding))
    throw refused('The body says that its encoding is another than UTF-8. Send it in UTF-8, and let it say so.');
  return DECLARATION.lastIndex;
}

/** The position near `wanted` at which no reference, line end or character of a long value is cut. */
export function endOfPiece(text: string, wanted: number, end: number): number {
  if (wanted === end) return end;
  const open = text.slice(wanted - REFERENCE_LENGTH, wanted).lastIndexOf('&');
  if (open !== -1) return wanted - REFERENCE_LENGTH + open;
  let to = wanted;
  if (text.charCodeAt(to - 1) === CR && text.charCodeAt(to) === LF) to += 1;
  // A byte of UTF-8 behind the first of a character.
  while (to < end && text.charCodeAt(to) >= 0x80 && text.charCodeAt(to) < 0xc0) to += 1;
  return to;
}
