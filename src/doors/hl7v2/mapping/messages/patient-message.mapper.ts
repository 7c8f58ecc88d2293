import type { Identifier, Patient } from '@medplum/fhirtypes';
import { knownBirthDate, statedPersonOf } from '../../../../core/patients/identity-comparison.js';
import { identifyingNumbers } from '../../../../core/patients/patient-numbers.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { CHANGED_SINCE } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { planEncounter } from '../resources/encounter.mapper.js';
import { keyOf, sameKeyOf, systemValueOf } from '../reading/identifiers.js';
import { carriesOneOf, firstRecordOf } from '../resources/merged-patients.js';
import { isOutdatedBy } from '../reading/earlier-handling.js';
import { isSamePerson, statedIn } from '../resources/patient-mismatch.js';
import { asksWhose } from '../resources/unassigned-numbers.js';
import { placeIn, type Reading } from '../reading/message-reading.js';
import { sectionsOf } from '../reading/order-groups.js';
import { demographicsOfSurvivor, numbersIn, patientNumbersOf, planPatient } from '../resources/patient.mapper.js';
import type { RecordIdentifier } from '../../../../standards/hl7v2/records/clinical-records.js';

const SURVIVOR_MADE =
  'No record had this number. It was made with what PID says, and with what the record that ended has beside that.';

/** ADT^A01, A03, A04, A05, A08, A11, A13, A28, A31: the present state of the patient and the visit. PR1 of it are all procedures of a stay, and not read. */
export async function planAnnouncement(reading: Reading): Promise<void> {
  const [section] = sectionsOf(reading.message);
  const patient = await planPatient(reading, section?.pid ?? null, 'announce');
  if (patient !== null) await planEncounter(reading, section?.pv1 ?? null, patient, 'announce');
}

/**
 * ADT^A40 and the older A18, A30, A34, A36, A39, A47: the record of each PID survives, and the record of the MRG after
 * it is merged into it.
 */
export async function planMerges(reading: Reading): Promise<void> {
  const { draft, message, earlier } = reading;
  // A merge is carried out once: its numbers may mean others by now.
  if (earlier?.kind === 'taken') return;
  const pairs = pairsOf(message.segments);
  if (pairs.length === 0)
    draft.refuse('segment.missing', { segment: 'PID', sequence: 1 }, 'The PID segment is required in this message.');
  for (const { pid, mrg } of pairs) {
    const survivor = patientNumbersOf(reading, pid);
    if (survivor.length === 0 && !draft.isRefused)
      draft.refuse('field.required', placeIn(pid, 3), 'PID-3 needs at least one identifier of the patient.');
    const prior = mrg === null ? [] : priorNumbersOf(reading, mrg);
    if (mrg === null)
      draft.refuse(
        'segment.missing',
        { segment: 'MRG', sequence: pid.sequence },
        'A merge has an MRG segment behind each PID.',
      );
    else if (prior.length === 0 && !draft.isRefused)
      draft.refuse('field.required', placeIn(mrg, 1), 'MRG-1 needs at least one identifier of the record that ends.');
    else if (survivor.length > 0) await planJoin(reading, { pid, mrg }, survivor, prior);
  }
}

async function planJoin(
  reading: Reading,
  { pid, mrg }: { readonly pid: Er7Segment; readonly mrg: Er7Segment },
  survivor: readonly Identifier[],
  prior: readonly Identifier[],
): Promise<void> {
  const { draft } = reading;
  const stays = await recordsOf(reading, survivor);
  const ends = await recordsOf(reading, prior);
  if (ends.size > 1 || stays.size > 1)
    return void draft.refuse(
      'patient.multiple_matches',
      stays.size > 1 ? { segment: 'PID', sequence: mrg.sequence, field: 3 } : placeIn(mrg, 1),
    );
  const surviving = new Set(survivor.map((number) => sameKeyOf(reading, systemValueOf(number))));
  if (prior.every((number) => surviving.has(sameKeyOf(reading, systemValueOf(number)))))
    return void draft.warn(
      'message.not_carried_out',
      placeIn(mrg, 1),
      'MRG-1 names no other record than PID-3, so that nothing was joined. MRG-1 is the number of the record that ends.',
    );
  // Of either record it may be the other facility's.
  if (stays.size === 0 && (await asksWhose(reading, survivor, statedIn(reading, pid), placeIn(pid, 3)))) return;
  if (ends.size === 0 && (await asksWhose(reading, prior, null, placeIn(mrg, 1)))) return;
  const [ending] = ends.keys();
  const joined = ending === undefined ? undefined : stays.get(ending);
  if (joined !== undefined) {
    // Resent, or merged already: nothing to do. A merge is not reversed.
    if (!(await carriesOneOf(reading, joined, survivor)))
      draft.warn(
        'patient.joined',
        placeIn(pid, 3),
        'The record of PID-3 was joined into that of MRG-1 before. That one stands and answers to both numbers; nothing was changed.',
      );
    return;
  }
  const [standing] = stays.values();
  if (standing !== undefined && !isSamePerson(reading, pid, standing, survivor, 'name')) return;
  if (mayMeanOthers(reading, pid, standing, ending === undefined ? undefined : ends.get(ending)))
    return void draft.refuse('message.not_carried_out', placeIn(mrg, 1), CHANGED_SINCE);
  if (ending === undefined) draft.warn('patient.prior_unknown', placeIn(mrg, 1));
  if (stays.size === 0) draft.warn('patient.unknown', placeIn(pid, 3), SURVIVOR_MADE);
  draft.join({
    survivor: distinct(survivor),
    prior: distinct(prior),
    // What is known of a record stays: a merge is no announcement.
    demographics:
      standing === undefined
        ? demographicsOfSurvivor(reading, pid, ending === undefined ? undefined : ends.get(ending))
        : {},
  });
}

/**
 * Whether a number of a merge that is read once more may be another person's by now: a merge cannot be taken back, so that a person replays it alone.
 * The record that ends is told by its number only; the one that stands also by the name and birth date of PID, which were compared.
 */
function mayMeanOthers(
  reading: Reading,
  pid: Er7Segment,
  standing: Patient | undefined,
  ending: Patient | undefined,
): boolean {
  const { earlier } = reading;
  if (ending !== undefined && isOutdatedBy(earlier, ending)) return true;
  if (standing === undefined || !isOutdatedBy(earlier, standing)) return false;
  const both = [statedIn(reading, pid), statedPersonOf(standing.name ?? [], standing.birthDate)];
  return !both.every(({ birthDate, givens }) => knownBirthDate(birthDate) !== null && givens.length > 0);
}

/** The surviving records of these numbers. */
async function recordsOf(reading: Reading, identifiers: readonly Identifier[]): Promise<ReadonlyMap<string, Patient>> {
  const found = await reading.records.findByIdentifier<Patient>(
    reading.source,
    'Patient',
    identifyingNumbers(identifiers).map(systemValueOf),
  );
  const standing = await Promise.all(found.map((patient) => firstRecordOf(reading, patient)));
  return new Map(standing.map((patient) => [patient.id!, patient]));
}

/** As stated, so that a record created for them says the same. */
function distinct(identifiers: readonly Identifier[]): RecordIdentifier[] {
  return [
    ...new Map(
      identifyingNumbers(identifiers).map((identifier) => [
        keyOf(systemValueOf(identifier)),
        { ...identifier, ...systemValueOf(identifier) },
      ]),
    ).values(),
  ];
}

/** MRG-1; before 2.7 the number could stand in MRG-4. */
function priorNumbersOf(reading: Reading, mrg: Er7Segment): Identifier[] {
  const numbers = numbersIn(reading, mrg, 1);
  return numbers.length > 0 ? numbers : numbersIn(reading, mrg, 4);
}

function pairsOf(segments: readonly Er7Segment[]): { readonly pid: Er7Segment; readonly mrg: Er7Segment | null }[] {
  const pairs: { pid: Er7Segment; mrg: Er7Segment | null }[] = [];
  for (const segment of segments) {
    if (segment.name === 'PID') pairs.push({ pid: segment, mrg: null });
    const last = pairs.at(-1);
    if (segment.name === 'MRG' && last !== undefined) last.mrg ??= segment;
  }
  return pairs;
}
