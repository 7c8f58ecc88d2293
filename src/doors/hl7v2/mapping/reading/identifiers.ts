import type { Identifier } from '@medplum/fhirtypes';
import { ACCESSION, FILLER, PLACER, SUTURA } from '../../../../reports/index.js';
import { NAMESPACE_SYSTEM, namespaceSystem, spelledSystem } from '../../../../core/patients/authority-forms.js';
import { systemOfNumbering } from '../../../../core/patients/authority-table.js';
import { identifierFault } from '../../../../core/patients/identifier-text.js';
import type { Er7Repetition, Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { parseTime } from '../../../../standards/hl7v2/er7/hl7-time.js';
import { dayOf, keepable, placeIn, plain, plainCode, type Reading } from './message-reading.js';
import { authoritiesOf, type Hl7Source } from './hl7-source.js';
import { periodOf } from './period.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';

/** An identifier to search the record by; `system` "" stands for the organization's own numbering. */
export interface SystemValue {
  readonly system: string;
  readonly value: string;
}

const MAX_LENGTH = 255;
const OF_PATIENTS: readonly string[] = ['PID', 'MRG'];
const OF_ORDERS: readonly string[] = ['ORC', 'OBR'];
/** Numbers are refused by their length in characters where they are read; of longer texts no character is looked at. */
const LONGEST_NUMBER = 4 * MAX_LENGTH;
/** With the blanks around it. */
const LONGEST_PADDED = 64 * 1024;
const TYPE_SYSTEM = 'http://terminology.hl7.org/CodeSystem/v2-0203';
const OID = /^[0-2](?:\.(?:0|[1-9]\d*))+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ANY_FACILITY = '*';
/** Of an MSH-4 that numbers are kept apart by. */
const LONGEST_FACILITY = 120;
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
  const listed = listedSystem(source, namespace, universalId);
  // Longer than any system may be, which refuses the number.
  if (namespace.length > MAX_LENGTH || universalId.length > MAX_LENGTH)
    return listed ?? `${SUTURA}/sid/hl7v2-authority/${'x'.repeat(MAX_LENGTH)}`;
  if (listed !== undefined) return listed;
  return authoritiesOf(source).preferred(statedSystem(namespace, universalId, universalType));
}

function listedSystem({ systems }: Hl7Source, namespace: string, universalId: string): string | undefined {
  return own(systems, namespace) ?? own(systems, universalId);
}

/** By the words of the authority alone. */
export function statedSystem(namespace: string, universalId: string, universalType: string): string {
  const type = universalType.toUpperCase();
  const bare = type === 'URI' ? universalId.replace(/^urn:(?:oid|uuid):/i, '') : universalId;
  if (OID.test(bare) && (type === 'ISO' || type === 'OID' || type === '' || bare !== universalId))
    return `urn:oid:${bare}`;
  if (UUID.test(bare)) return `urn:uuid:${bare.toLowerCase()}`;
  if (type === 'URI' && URI.test(universalId)) return universalId;
  if (type === 'DNS' && /^[A-Za-z0-9.-]+$/.test(universalId)) return `https://${universalId.toLowerCase()}`;
  const name = namespace === '' ? universalId : namespace;
  // An OID in the place of a name is that OID.
  return name === '' ? '' : spelledSystem(namespaceSystem(keepable(name)));
}

/** The authority of numbers of the sending facility that name none, as the connection or the table has it; undefined: nobody has said it. */
export function bareSystemOf({ source, header }: Pick<Reading, 'source' | 'header'>): string | undefined {
  const facility = header.sendingFacility.trim();
  const listed = own(source.bareNumbers, facility) ?? own(source.bareNumbers, ANY_FACILITY);
  return listed ?? authoritiesOf(source).defaultFor({ listenerId: source.id, facility, door: 'hl7v2' });
}

/** The system of a number without an authority. A facility that comes beside another one on its connection has numbers of its own. */
function bareNumberSystem(reading: Reading): string {
  const listed = bareSystemOf(reading);
  if (listed !== undefined) return authoritiesOf(reading.source).preferred(listed);
  const facility = reading.header.sendingFacility.trim().slice(0, LONGEST_FACILITY);
  const { id: sourceId } = reading.source;
  const state = authoritiesOf(reading.source).numbering(sourceId, facility);
  if (state === null) {
    reading.draft.seeFacility({ sourceId, facility });
    return '';
  }
  const system = authoritiesOf(reading.source).preferred(systemOfNumbering(state, facility));
  if (state === 'unsettled' || state === 'asked') reading.draft.beUnsure({ sourceId, facility, system });
  return system;
}

/** Notes, or warns of, a namespace that stands beside another name of its authority. */
function noteForms(reading: Reading, parts: readonly [string, string, string], place: ProblemPlace): void {
  const [namespace, universalId] = parts;
  // A namespace often has an OID for each sort of number: those of visits and documents teach nothing.
  const isOfPatient = OF_PATIENTS.includes(place.segment);
  if (!isOfPatient && !OF_ORDERS.includes(place.segment)) return;
  if (isOfPatient && namespace !== '') reading.draft.patientNamespaces.add(namespace);
  if (namespace === '' || universalId === '' || Math.max(namespace.length, universalId.length) > MAX_LENGTH) return;
  if (listedSystem(reading.source, namespace, universalId) !== undefined) return;
  const [one, other] = [statedSystem(namespace, '', ''), statedSystem('', universalId, parts[2])];
  // A universal id of a type that says nothing of what it is.
  if (other === '' || other.startsWith(NAMESPACE_SYSTEM)) return;
  const standing = authoritiesOf(reading.source).standing(one, other);
  if (standing === 'proposed') reading.draft.warn('authority.proposed', place);
  if (standing !== 'unknown' || (!isOfPatient && reading.draft.patientNamespaces.has(namespace))) return;
  const isAssigned = statedSystem(...parts).startsWith('urn:oid:');
  if (isOfPatient || isAssigned) reading.draft.seeForms({ one, other, isAssigned, isOfOrder: !isOfPatient, place });
}

/** Notes, or warns of, one number that stands there by two systems. */
export function noteTogether(reading: Reading, numbers: readonly SystemValue[], place: ProblemPlace): void {
  const authorities = authoritiesOf(reading.source);
  for (const [{ system: one }, { system: other }] of authorities.together(numbers)) {
    const standing = authorities.standing(one, other);
    if (standing === 'proposed') reading.draft.warn('authority.proposed', place);
    if (standing === 'unknown') reading.draft.seeForms({ one, other, isAssigned: false, place });
  }
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
  const parts = authorityIn(repetition, 4);
  const stated = systemOf(reading, ...parts);
  if (stated !== '') noteForms(reading, parts, placeIn(segment, field, index + 1));
  const sent = stated === '' ? bareNumberSystem(reading) : stated;
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

/** HD in a component: namespace, universal id and its type. */
function authorityIn(repetition: Er7Repetition, component: number): [string, string, string] {
  return [1, 2, 3].map((part) => partOf(repetition.text(component, part))) as [string, string, string];
}

/** A part that its sender deletes is none. */
function partOf(text: string): string {
  const trimmed = text.trim();
  return trimmed === '""' ? '' : trimmed;
}

/** EI: a number of an order or a document. */
export function numberOf(reading: Reading, segment: Er7Segment | null, field: number): SystemValue | null {
  const repetition = segment?.field(field).repetitions[0];
  const value = plain(repetition?.text(1) ?? '', MAX_LENGTH + 1);
  if (segment === null || repetition === undefined || value === undefined || value === '""') return null;
  if (isUnreadable(reading, [repetition.text(1), repetition.text(2)], placeIn(segment, field))) return null;
  const parts = [2, 3, 4].map((part) => partOf(repetition.text(part))) as [string, string, string];
  const system = systemOf(reading, ...parts);
  if (system !== '') noteForms(reading, parts, placeIn(segment, field));
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

/** The number under which pictures of an order are filed: IPC-1, else the OBR field that the source names. */
export function accessionOf(
  reading: Reading,
  { imaging, obr }: { readonly imaging: Er7Segment | null; readonly obr: Er7Segment | null },
): SystemValue | null {
  const { accessionField, accessionSystem } = reading.source;
  const field = accessionField === null ? null : accessionField === 'OBR-18' ? 18 : 19;
  const stated = numberOf(reading, imaging, 1) ?? (field === null ? null : numberOf(reading, obr, field));
  if (stated === null || stated.system !== '' || accessionSystem === null) return stated;
  return { ...stated, system: authoritiesOf(reading.source).preferred(accessionSystem) };
}

export function accessionIdentifier({ system, value }: SystemValue): Identifier {
  return { type: { coding: [{ ...ACCESSION }] }, ...(system === '' ? {} : { system }), value };
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

/** The same text for the same number, by whichever form of its authority. */
export function sameKeyOf({ source }: Pick<Reading, 'source'>, { system, value }: SystemValue): string {
  return keyOf({ system: authoritiesOf(source).canonical(system), value });
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
