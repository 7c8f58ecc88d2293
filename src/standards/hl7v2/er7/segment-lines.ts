/** Empty lines are ignored: a run of line ends counts as one. */
const LINE_END = /[\r\n]+/g;
const NAME_ALONE = /^[A-Z][A-Z0-9]{2}$/;
const NAME = /^[A-Za-z][A-Za-z0-9]{2}/;

/**
 * Splits a message into segments, whether they end in CR, LF or both. A line that does not begin with a segment name
 * belongs to the segment before it, line end included: senders wrap Base64 and leave line feeds in texts.
 */
export function splitSegments(text: string, fieldSeparator: string): string[] {
  const segments: string[] = [];
  let start = 0;
  let end = 0;
  const ends = new RegExp(LINE_END);
  for (let from = 0; from <= text.length;) {
    const lineEnd = ends.exec(text);
    const to = lineEnd?.index ?? text.length;
    if (from > 0 && isSegmentStart(text, from, to, fieldSeparator)) {
      segments.push(text.slice(start, end));
      start = from;
    }
    if (to > from) end = to;
    from = lineEnd === null ? text.length + 1 : ends.lastIndex;
  }
  segments.push(text.slice(start, end));
  return segments;
}

function isSegmentStart(text: string, from: number, to: number, fieldSeparator: string): boolean {
  if (to - from === 3) return NAME_ALONE.test(text.slice(from, to));
  return text[from + 3] === fieldSeparator && to - from > 3 && NAME.test(text.slice(from, from + 3));
}
