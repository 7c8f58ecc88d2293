import type { Identifier } from '@medplum/fhirtypes';
import { FILLER, PLACER, SUTURA } from '../../../../reports/index.js';
import { identifierFault } from '../../../../core/patients/identifier-text.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { parseTime } from '../../../../standards/hl7v2/er7/hl7-time.js';
import { dayOf, keepable, placeIn, plain, plainCode, type Reading } from './message-reading.js';
import { periodOf } from './period.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';

/** An identifier to search the record by; `system` "" stands for the organization's own numbering. */
export interface SystemValue {
  readonly system: string;
  readonly value: string;
}

const MAX_LENGTH = 255;
/** Numbers are refused by their length in characters where they are read; of longer texts no character is looked at. */
const LONGEST_NUMBER = 4 * MAX_LENGTH;
/** With the blanks around it. */
const LONGEST_PADDED = 64 * 1024;
const TYPE_SYSTEM = 'http://terminology.hl7.org/CodeSystem/v2-0203';
const OID = /^[0-2](?:\.(?:0|[1-9]\d*))+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ANY_FACILITY = '*';
/** Not one that says to be an OID or a UUID and is none, which R4 refuses. */
const URI = /^(?!urn:(?:oid|uuid):)[a-z][a-z0-9+.-]*:\S+$/i;
const OWN_AUTHORITY = 'sutura.dev';

/**
 * The FHIR system of an assigning authority (HD): by the list of the source (namespace or universal id), else by its
 * universal id (ISO → urn:oid, UUID → urn:uuid, URI as it is, DNS → https), else a URI of ours for the namespace. ""
 * where HD is empty.
 */
export function systemOf(
  { source }: Pick<Reading, 'source'>,
  namespace: string,
  universalId: string,
  universalType: string,
): string {
  const listed = own(source.systems, namespace) ?? own(source.systems, universalId);
  // Longer than any system may be, which refuses the number.
  if (namespace.length > MAX_LENGTH || universalId.length > MAX_LENGTH)
    return listed ?? `${SUTURA}/sid/hl7v2-authority/${'x'.repeat(MAX_LENGTH)}`;
  if (listed !== undefined) return listed;
  const type = universalType.toUpperCase();
  const bare = type === 'URI' ? universalId.replace(/^urn:(?:oid|uuid):/i, '') : universalId;
  if (OID.test(bare) && (type === 'ISO' || type === 'OID' || type === '' || bare !== universalId))
    return `urn:oid:${bare}`;
  if (UUID.test(bare)) return `urn:uuid:${bare.toLowerCase()}`;
  if (type === 'URI' && URI.test(universalId)) return universalId;
  if (type === 'DNS' && /^[A-Za-z0-9.-]+$/.test(universalId)) return `https://${universalId.toLowerCase()}`;
  const name = namespace === '' ? universalId : namespace;
  return name === '' ? '' : `${SUTURA}/sid/hl7v2-authority/${encodeURIComponent(keepable(name))}`;
}

/** The system of numbers of the sending facility that name no authority; undefined: they are of the organization's own numbering. */
export function bareSystemOf({ source, header }: Pick<Reading, 'source' | 'header'>): string | undefined {
  return own(source.bareNumbers, header.sendingFacility.trim()) ?? own(source.bareNumbers, ANY_FACILITY);
}

/** CX: a number of a patient or a visit; null where it has no value, or is refused. */
export function identifierOfCx(
  reading: Reading,
  segment: Er7Segment,
  field: number,
  index: number,
  fallbackType?: string,
): Identifier | null {
  const repetition = segment.field(field).repetitions[index]!;
  const value = plain(repetition.text(1), MAX_LENGTH + 1);
  if (value === undefined) return null;
  // A record with such a number from earlier can still be merged away.
  if (
    segment.name !== 'MRG' &&
    isUnreadable(reading, [repetition.text(1), repetition.text(4, 1)], placeIn(segment, field, index + 1))
  )
    return null;
  const stated = systemOf(
    reading,
    repetition.text(4, 1).trim(),
    repetition.text(4, 2).trim(),
    repetition.text(4, 3).trim(),
  );
  const sent = stated === '' ? (bareSystemOf(reading) ?? '') : stated;
  const decided = segment.name === 'PID' ? reading.settled.authorities.get(keyOf({ system: sent, value })) : undefined;
  const system = decided ?? sent;
  if (value.length > MAX_LENGTH || system.length > MAX_LENGTH)
    return reading.draft.refuse('value.identifier', placeIn(segment, field, index + 1));
  const type = plainCode(repetition.text(5)) ?? fallbackType;
  const namespace = plain(repetition.text(4, 1), MAX_LENGTH);
  const [start, end] = [7, 8].map((component) => {
    const time = parseTime(repetition.text(component).trim(), reading.source.timeZone);
    return time === null ? undefined : dayOf(time);
  });
  // Days the wrong way round say nothing of when the number is good.
  const period = periodOf(start, end) ?? undefined;
  return {
    ...(type === undefined ? {} : { type: { coding: [{ system: TYPE_SYSTEM, code: type }] } }),
    ...(system === '' ? {} : { system }),
    value,
    // The sender's name of the authority, which a system made of its OID does not tell.
    ...(namespace === undefined || system === '' ? {} : { assigner: { display: namespace } }),
    ...(period === undefined ? {} : { period }),
  };
}

/** EI: a number of an order or a document. */
export function numberOf(reading: Reading, segment: Er7Segment | null, field: number): SystemValue | null {
  const repetition = segment?.field(field).repetitions[0];
  const value = plain(repetition?.text(1) ?? '', MAX_LENGTH + 1);
  if (segment === null || repetition === undefined || value === undefined || value === '""') return null;
  if (isUnreadable(reading, [repetition.text(1), repetition.text(2)], placeIn(segment, field))) return null;
  const system = systemOf(reading, repetition.text(2).trim(), repetition.text(3).trim(), repetition.text(4).trim());
  if (value.length > MAX_LENGTH || system.length > MAX_LENGTH)
    return reading.draft.refuse('value.identifier', placeIn(segment, field));
  return { system, value };
}

/** Refuses a number, or the name of its authority, that a person could not tell from another; blanks around it are padding. */
export function isUnreadable({ draft }: Reading, texts: readonly string[], place: ProblemPlace): boolean {
  const fault = texts.map(faultOfNumber).find((one) => one !== null);
  if (fault === undefined) return false;
  draft.refuse('value.identifier', place, `The identifier ${fault}.`);
  return true;
}

/** The fault of a number as a field has it (core/patients/identifier-text). */
export function faultOfNumber(text: string): string | null {
  const number = text.length > LONGEST_PADDED ? text : withoutPadding(text);
  return number.length > LONGEST_NUMBER ? `must have at most ${MAX_LENGTH} characters` : identifierFault(number);
}

/** By one step from each end: a pattern looks at every blank again for each one before it. */
function withoutPadding(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

/** Our own filler number comes back in results and changes; it is not a number of the sender. */
export function fillerOf(reading: Reading, segment: Er7Segment | null): SystemValue | null {
  const filler = numberOf(reading, segment, 3);
  return filler === null || filler.system.endsWith(OWN_AUTHORITY) || filler.system.endsWith('/SUTURA') ? null : filler;
}

export function placerIdentifier({ system, value }: SystemValue): Identifier {
  return { type: { coding: [{ ...PLACER }] }, ...(system === '' ? {} : { system }), value };
}

export function fillerIdentifier({ system, value }: SystemValue): Identifier {
  return { type: { coding: [{ ...FILLER }] }, ...(system === '' ? {} : { system }), value };
}

/** Search criteria for any of the identifiers. */
export function criteriaOf(identifiers: readonly SystemValue[]): string {
  return `identifier=${encodeURIComponent(identifiers.map(({ system, value }) => `${escaped(system)}|${escaped(value)}`).join(','))}`;
}

export function systemValueOf({ system = '', value = '' }: Identifier): SystemValue {
  return { system, value };
}

export function keyOf({ system, value }: SystemValue): string {
  return JSON.stringify([system, value]);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\,|$]/g, (character) => `\\${character}`);
}

function own(systems: Readonly<Record<string, string>>, name: string): string | undefined {
  return name === '' ? undefined : lookUp(systems, name);
}
