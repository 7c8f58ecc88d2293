import type { Address, ContactPoint, HumanName, Practitioner, Reference } from '@medplum/fhirtypes';
import { dayAt } from '../../../../core/times/clinical-time.js';
import type { Er7Repetition, Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { knownPartOf, parseTime } from '../../../../standards/hl7v2/er7/hl7-time.js';
import { systemOf } from './identifiers.js';
import { dayOf, plain, definedOnly, type Reading } from './message-reading.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';

/** Characters of the further given names. */
const MOST_GIVEN = 1000;

/** Table 0200. */
const NAME_USE: Readonly<Record<string, HumanName['use']>> = {
  L: 'official',
  B: 'official',
  C: 'official',
  D: 'usual',
  U: 'usual',
  M: 'maiden',
  N: 'nickname',
  S: 'anonymous',
  T: 'temp',
};
/** Table 0190. */
const ADDRESS_USE: Readonly<Record<string, Address['use']>> = {
  H: 'home',
  P: 'home',
  L: 'home',
  B: 'work',
  O: 'work',
  C: 'temp',
  V: 'temp',
  BI: 'billing',
  M: undefined,
};
/** Table 0201. */
const CONTACT_USE: Readonly<Record<string, ContactPoint['use']>> = {
  PRN: 'home',
  VHN: 'temp',
  ORN: 'home',
  WPN: 'work',
  PRS: 'mobile',
};
/** Table 0202. */
const CONTACT_SYSTEM: Readonly<Record<string, ContactPoint['system']>> = {
  PH: 'phone',
  CP: 'phone',
  SAT: 'phone',
  TDD: 'phone',
  TTY: 'phone',
  FX: 'fax',
  MD: 'other',
  BP: 'pager',
  INTERNET: 'email',
  'X.400': 'email',
};

/** FHIR date of PID-7, as far as it is known; undefined: none, none that can be read, or one that is still to come when the message is sent. */
export function birthDateOf({ source, header }: Reading, pid: Er7Segment): string | undefined {
  const text = pid.field(7).text.trim();
  const [time, sent] = [text, header.sentAt].map((one) => parseTime(one, source.timeZone));
  const date = knownPartOf(text) ?? (time === undefined || time === null ? '' : dayOf(time));
  if (date === '') return undefined;
  // The sender's day may have begun where ours has not.
  return sent !== undefined && sent !== null && date > dayAfter(dayOf(sent)) ? undefined : date;
}

function dayAfter(date: string): string {
  const next = new Date(date.length === 10 ? date : '9998-12-31');
  next.setUTCDate(next.getUTCDate() + 1);
  return dayAt(next.getTime(), 0);
}

/** XPN of PID-5: the first legal name, else the first. */
export function nameOf(repetitions: readonly Er7Repetition[]): HumanName | undefined {
  const chosen = repetitions.find((repetition) => repetition.text(7).trim() === 'L') ?? repetitions[0];
  if (chosen === undefined) return undefined;
  const given = [chosen.text(2), ...(plain(chosen.text(3), MOST_GIVEN) ?? '').split(/\s+/)].flatMap(
    (text) => plain(text, 255) ?? [],
  );
  const name = definedOnly<HumanName>({
    use: lookUp(NAME_USE, chosen.text(7).trim()),
    family: plain(chosen.text(1, 1), 255),
    given,
    prefix: optional(plain(chosen.text(5), 255)),
    suffix: [chosen.text(4), chosen.text(6)].flatMap((text) => plain(text, 255) ?? []),
  });
  return name.family === undefined && given.length === 0 ? undefined : (name as HumanName);
}

/** XAD. */
export function addressOf(repetition: Er7Repetition): Address | undefined {
  const line = [repetition.text(1, 1), repetition.text(2)].flatMap((text) => plain(text, 255) ?? []);
  const parts = definedOnly<Address>({
    line,
    city: plain(repetition.text(3)),
    state: plain(repetition.text(4)),
    postalCode: plain(repetition.text(5)),
    country: plain(repetition.text(6)),
  });
  const use = lookUp(ADDRESS_USE, repetition.text(7).trim());
  return Object.keys(parts).length === 0 ? undefined : { ...(use === undefined ? {} : { use }), ...parts };
}

/** XTN. */
export function contactOf(repetition: Er7Repetition): ContactPoint | undefined {
  const parts = [repetition.text(5), repetition.text(6), repetition.text(7)].flatMap((text) => plain(text, 64) ?? []);
  const mail = plain(repetition.text(4));
  const number =
    plain(repetition.text(12)) ?? plain(repetition.text(1)) ?? (parts.length === 0 ? undefined : parts.join(' '));
  const equipment = repetition.text(3).trim().toUpperCase();
  const system = lookUp(CONTACT_SYSTEM, equipment) ?? (mail === undefined ? 'phone' : 'email');
  const value = system === 'email' ? (mail ?? number) : (number ?? mail);
  if (value === undefined) return undefined;
  return definedOnly<ContactPoint>({
    system,
    value,
    use: equipment === 'CP' ? 'mobile' : lookUp(CONTACT_USE, repetition.text(2).trim()),
  }) as ContactPoint;
}

/** XCN: a person by number and name, who need not be known here; undefined where both are empty. */
export function practitionerOf(
  reading: Pick<Reading, 'source'>,
  repetition: Er7Repetition | undefined,
): Reference<Practitioner> | undefined {
  if (repetition === undefined) return undefined;
  const value = plain(repetition.text(1), 255);
  const display = [
    repetition.text(6),
    repetition.text(3),
    repetition.text(4),
    repetition.text(2, 1),
    repetition.text(5),
  ]
    .flatMap((text) => plain(text, 100) ?? [])
    .join(' ');
  if (value === undefined && display === '') return undefined;
  const system = systemOf(
    reading,
    repetition.text(9, 1).trim(),
    repetition.text(9, 2).trim(),
    repetition.text(9, 3).trim(),
  );
  return definedOnly<Reference<Practitioner>>({
    type: 'Practitioner',
    identifier: value === undefined ? undefined : { ...(system === '' ? {} : { system }), value },
    display: plain(display, 255),
  });
}

function optional<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
