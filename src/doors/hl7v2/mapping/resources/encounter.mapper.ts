import type { Coding, Encounter } from '@medplum/fhirtypes';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { criteriaOf, identifierOfCx, keyOf, systemValueOf } from '../reading/identifiers.js';
import { SAID_SINCE } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { isLeftAsOutdated, isOutdatedBy } from '../reading/earlier-handling.js';
import {
  definedOnly,
  isSameResource,
  placeIn,
  plain,
  timeOf,
  type PatientUse,
  type Reading,
} from '../reading/message-reading.js';
import { periodOf } from '../reading/period.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';
import type { PlannedPatient } from './patient.mapper.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';

const ACT_CODE = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
/** Table 0004 as v3 ActCode. */
const CLASS: Readonly<Record<string, Coding>> = {
  E: { system: ACT_CODE, code: 'EMER', display: 'emergency' },
  I: { system: ACT_CODE, code: 'IMP', display: 'inpatient encounter' },
  B: { system: ACT_CODE, code: 'IMP', display: 'inpatient encounter' },
  O: { system: ACT_CODE, code: 'AMB', display: 'ambulatory' },
  R: { system: ACT_CODE, code: 'AMB', display: 'ambulatory' },
  P: { system: ACT_CODE, code: 'PRENC', display: 'pre-admission' },
};
const UNKNOWN_CLASS: Coding = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor',
  code: 'UNK',
  display: 'unknown',
};
/** The status that an event gives the stay, whatever else PV1 says. */
const STATUS: Readonly<Record<string, Encounter['status']>> = {
  A03: 'finished',
  A05: 'planned',
  A11: 'cancelled',
  A13: 'in-progress',
  A14: 'planned',
};

/**
 * Plans the visit with the number in PV1-19; null: the message names none. Only an announcement changes a known visit.
 */
export async function planEncounter(
  reading: Reading,
  pv1: Er7Segment | null,
  patient: PlannedPatient,
  use: PatientUse,
): Promise<PlannedResource | null> {
  if (pv1 === null || pv1.field(19).repetitions.length === 0) return null;
  const identifier = identifierOfCx(reading, pv1, 19, 0, 'VN');
  if (identifier === null) return null;
  const number = systemValueOf(identifier);
  return reading.draft.once(`Encounter ${keyOf(number)}`, async () => {
    const [before = null] = await reading.records.findByIdentifier<Encounter>(reading.source, 'Encounter', [number]);
    const isOurs = before?.subject?.reference === patient.reference;
    // The number belongs to another patient's visit, where nothing about this patient is written.
    if (before !== null && (use === 'name' || isOutdatedBy(reading.earlier, before))) {
      if (use === 'announce') warnOfLeft(reading, pv1, patient, before);
      return isOurs ? { reference: `Encounter/${before.id}`, entry: null } : null;
    }
    const said = {
      ...encounterOf(reading, pv1, before),
      identifier: before?.identifier ?? [identifier],
      subject: referenceTo(patient),
    };
    if (before === null) return reading.draft.create(said, placeIn(pv1), criteriaOf([number]));
    const after: Encounter = { ...before, ...said, ...(said.period === undefined ? { period: undefined } : {}) };
    return isSameResource(before, after)
      ? { reference: `Encounter/${before.id}`, entry: null }
      : reading.draft.change(JSON.parse(JSON.stringify(after)) as Encounter, placeIn(pv1));
  });
}

/** That a message which is read once more says the visit otherwise than what came later. */
function warnOfLeft(reading: Reading, pv1: Er7Segment, patient: PlannedPatient, before: Encounter): void {
  if (!isLeftAsOutdated(reading.earlier, before)) return;
  const said = { ...before, ...definedOnly(encounterOf(reading, pv1, before)), subject: referenceTo(patient) };
  if (!isSameResource(before, said)) reading.draft.warn('message.not_carried_out', placeIn(pv1), SAID_SINCE);
}

function encounterOf(reading: Reading, pv1: Er7Segment, before: Encounter | null): Encounter {
  const event = reading.header.messageCode === 'ADT' ? reading.header.triggerEvent : '';
  const period = stayOf(reading, pv1, before, event);
  const code = pv1.field(2).text.trim().toUpperCase();
  const place = placeOf(pv1);
  const location = place === null ? before?.location : [{ location: { display: place } }];
  return {
    resourceType: 'Encounter',
    status: statusOf(event, code, period, before),
    class: lookUp(CLASS, code) ?? before?.class ?? UNKNOWN_CLASS,
    ...(location === undefined ? {} : { location }),
    ...(period === undefined ? {} : { period }),
  };
}

function statusOf(
  event: string,
  code: string,
  period: Encounter['period'],
  before: Encounter | null,
): Encounter['status'] {
  const byEvent = lookUp(STATUS, event);
  if (byEvent !== undefined) return byEvent;
  if (period?.end !== undefined) return 'finished';
  if (event === 'A01' || event === 'A04') return 'in-progress';
  return before?.status ?? (code === 'P' ? 'planned' : 'in-progress');
}

function stayOf(
  reading: Reading,
  pv1: Er7Segment,
  before: Encounter | null,
  event: string,
): Encounter['period'] | undefined {
  const start =
    timeOf(reading, pv1, 44)?.dateTime ?? (pv1.field(44).state === 'null' ? undefined : before?.period?.start);
  // A13 cancels a discharge.
  const kept = event === 'A13' || pv1.field(45).state === 'null' ? undefined : before?.period?.end;
  const end = event === 'A13' ? undefined : (timeOf(reading, pv1, 45)?.dateTime ?? kept);
  const period = periodOf(start, end);
  return period === null
    ? (reading.draft.refuse('value.date', placeIn(pv1, 45), 'The discharge lies before the admission.') ?? undefined)
    : period;
}

/** PL of PV1-3: point of care, room, bed and facility in one line; locations have no resource here. null: not said. */
export function placeOf(pv1: Er7Segment | null): string | null {
  const place = pv1?.field(3).repetitions[0];
  const display = [1, 2, 3, 4].flatMap((component) => plain(place?.text(component, 1) ?? '', 100) ?? []).join(' ');
  return display === '' ? null : display;
}
