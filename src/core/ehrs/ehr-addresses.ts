import type { Ehr } from './ehr.js';

/** What is wrong with an address of an EHR; null: nothing. Whether its network may be called is asked at each call. */
export function ehrAddressFault(text: string): string | null {
  const url = parsedAddress(text);
  // The URL parser drops blanks and turns backslashes round: what is kept and shown must be what is called.
  if (url === null || /[\s\p{Cc}\\]/u.test(text)) return 'must be an absolute address without blanks';
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'must begin with https://, or http:// within SUTURA_EHR_NETWORKS';
  if (isSpelledOddly(text, url))
    return 'must be in its plain spelling: without "//" in the path, a dot at the end of the host, or letters as %41';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
  return text.includes('?') || text.includes('#') ? 'must end before "?" and "#"' : null;
}

/** The one spelling of a FHIR base: host and scheme in small letters, no port that is understood, no slash at the end. As it is where it is no address. */
export function fhirBaseOf(text: string): string {
  const url = parsedAddress(text);
  return url === null ? text : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** `https://host[:port]`; null: not an address of the web. */
export function originOf(text: string): string | null {
  const url = parsedAddress(text);
  return url === null || url.origin === 'null' ? null : url.origin;
}

/** True where the address is of the EHR's own origin or of one of those that its registration names. Everything else is never called. */
export function isOfEhr({ fhirBaseUrl, origins }: Pick<Ehr, 'fhirBaseUrl' | 'origins'>, address: string): boolean {
  const origin = originOf(address);
  return origin !== null && [fhirBaseUrl, ...origins].some((one) => originOf(one) === origin);
}

/** Spellings by which a server that is generous finds what it has under another: two registrations could name one base. */
function isSpelledOddly(text: string, { hostname, pathname }: URL): boolean {
  const escapes = text.match(/%.{0,2}/gs) ?? [];
  const isEscapedForNothing = escapes.some((one) => !/^%[0-9A-F]{2}$/.test(one) || /[\w.~-]/.test(decodeOne(one)));
  return hostname.endsWith('.') || pathname.includes('//') || isEscapedForNothing;
}

function decodeOne(escaped: string): string {
  return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
}

/** null: it is no address. Not by `URL.canParse`: called often, that of Node 20 takes letters such as ä for none. */
export function parsedAddress(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
