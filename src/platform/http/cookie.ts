import type { IncomingHttpHeaders } from 'node:http';

/** The value of a cookie; null: none, or two, of which one was planted. */
export function readCookie(headers: IncomingHttpHeaders, name: string): string | null {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return values.length === 1 ? values[0]!.slice(name.length + 1) : null;
}
