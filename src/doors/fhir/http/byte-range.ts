/** Part of a body: first and last position, both included. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * One range of `Range: bytes=…` (RFC 9110 14.1.2). null: none that is understood, or several; the whole is answered then.
 * 'unsatisfiable': beyond the end.
 */
export function rangeOf(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replace(/\s/g, '') ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const size = Math.min(Number(to), length);
    return size === 0 ? 'unsatisfiable' : { first: length - size, last: length - 1 };
  }
  const first = Number(from);
  const last = to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= length ? 'unsatisfiable' : { first, last };
}
