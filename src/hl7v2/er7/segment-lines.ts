/**
 * Segments of a message, whether they end in CR, LF or both. A line that does not begin with a segment's name belongs to the segment before it,
 * with its line end: senders wrap Base64 and leave line feeds in texts.
 */
export function splitSegments(text: string, fieldSeparator: string): string[] {
  const ends = /\r\n|\r|\n/g;
  const segments: string[] = [];
  let from = 0;
  let endBefore = '';
  let pending: string[] = [];
  for (;;) {
    const end = ends.exec(text);
    const line = text.slice(from, end?.index);
    if (pending.length === 0 || isSegmentStart(line, fieldSeparator)) {
      if (pending.length > 0) segments.push(pending.join(''));
      pending = [line];
    } else if (line !== '') pending.push(endBefore, line);
    if (end === null) break;
    endBefore = end[0];
    from = ends.lastIndex;
  }
  segments.push(pending.join(''));
  return segments;
}

function isSegmentStart(line: string, fieldSeparator: string): boolean {
  if (line.length === 3) return /^[A-Z][A-Z0-9]{2}$/.test(line);
  return line[3] === fieldSeparator && /^[A-Za-z][A-Za-z0-9]{2}/.test(line);
}
