/**
 * A result of ours with ED rows turned into ones of text that have no result (HL7 table 0085, X). `noteOf`: what a row says in the place of
 * its encoded file; null: the row stays. Its layout is known: we wrote it.
 */
export function withoutFiles(message: Buffer, noteOf: (encoded: string) => string | null): Buffer {
  const segments = message.toString('latin1').split('\r');
  return Buffer.from(segments.map((segment) => withoutFile(segment, noteOf)).join('\r'), 'latin1');
}

function withoutFile(segment: string, noteOf: (encoded: string) => string | null): string {
  if (!/^OBX\|[^|]*\|ED\|/.test(segment)) return segment;
  const fields = segment.split('|');
  const note = noteOf(fields[5]?.split('^')[4] ?? '');
  if (note === null) return segment;
  fields[2] = 'TX';
  fields[5] = note;
  fields[11] = 'X';
  return fields.join('|');
}
