import type { Ehr } from './ehr.js';

/** What is wrong with an address of an EHR; null: nothing. Whether its network may be called is asked at each call. */
export function ehrAddressFault(text: string): string | null {
  const url = parsed(text);
  // The URL parser drops blanks and turns backslashes round: what is kept and shown must be what is called.
  if (url === null || /[\s\p{Cc}\\]/u.test(text)) return 'must be an absolute address without blanks';
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'must begin with https://, or http:// within SUTURA_EHR_NETWORKS';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
  return text.includes('?') || text.includes('#') ? 'must end before "?" and "#"' : null;
}

/** The one spelling of a FHIR base: host and scheme in small letters, no port that is understood, no slash at the end. As it is where it is no address. */
export function fhirBaseOf(text: string): string {
  const url = parsed(text);
  return url === null ? text : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** `https://host[:port]`; null: not an address of the web. */
export function originOf(text: string): string | null {
  const url = parsed(text);
  return url === null || url.origin === 'null' ? null : url.origin;
}

/** True where the address is of the EHR's own origin or of one of those that its registration names. Everything else is never called. */
export function isOfEhr({ fhirBaseUrl, origins }: Pick<Ehr, 'fhirBaseUrl' | 'origins'>, address: string): boolean {
  const origin = originOf(address);
  return origin !== null && [fhirBaseUrl, ...origins].some((one) => originOf(one) === origin);
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
