import { isValidCalendarDate } from '../../definitions/medplum-core.js';
import type { Demand } from './demand.js';

const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?`;
const ZONE = String.raw`(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))`;
const YEAR = String.raw`(\d(\d(\d[1-9]|[1-9]0)|[1-9]00)|[1-9]000)`;
/** R4 datatypes.html: a time needs its minutes, its seconds and a zone, which Medplum's pattern does not demand. */
const DATE_TIME = new RegExp(`^${YEAR}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01])(T${TIME}${ZONE})?)?)?$`);
const OID = /^urn:oid:[0-2](\.(0|[1-9]\d*))+$/;
const UUID = /^urn:uuid:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const SCHEME = /^[A-Za-z][A-Za-z\d+.-]*:/;

const NAMED: Demand = {
  check: (value) => typeof value !== 'string' || isNamedRightly(value),
  code: 'value',
  details: 'The OID or UUID of a URI has the form of one, a UUID in small letters.',
  isAdvice: true,
};

/** Forms of text that Medplum's validator does not check, by type. Whitespace and characters are its matter. */
export const FORMS: Readonly<Partial<Record<string, readonly Demand[]>>> = {
  dateTime: [
    {
      check: (value) => typeof value !== 'string' || (DATE_TIME.test(value) && isValidCalendarDate(value)),
      code: 'value',
      details: 'Invalid dateTime format',
    },
  ],
  uri: [NAMED],
  // An attachment of a transaction names its entry by whatever the entry is called, `urn:uuid:photo` among it, in a url.
  canonical: [
    NAMED,
    {
      check: (value) => typeof value !== 'string' || isAbsolute(value) || value.startsWith('#'),
      code: 'value',
      details: 'A canonical URL is absolute.',
    },
  ],
};

/** With a scheme, as identifiers of systems and extensions have it. */
export function isAbsolute(uri: string): boolean {
  return SCHEME.test(uri);
}

function isNamedRightly(uri: string): boolean {
  if (uri.startsWith('urn:oid:')) return OID.test(uri);
  if (uri.startsWith('urn:uuid:')) return UUID.test(uri);
  return !/^(oid|uuid):/.test(uri);
}
