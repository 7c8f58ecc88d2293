import type { BodyStructure, CodeableConcept } from '@medplum/fhirtypes';
import type { Laterality } from '../../../../core/analysis/analysis-job.js';
import { SNOMED } from '../../../../reports/index.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { isAtLeastVersion } from '../../../../standards/hl7v2/er7/message-writer.js';
import { conceptOf, sentCodesOf } from '../reading/coded-values.js';
import { isUnreadable, criteriaOf, keyOf, type SystemValue } from '../reading/identifiers.js';
import { SAID_SINCE } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { isLeftAsOutdated, isOutdatedBy } from '../reading/earlier-handling.js';
import type { ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { isSameResource, placeIn, plain, definedOnly, type Reading } from '../reading/message-reading.js';
import type { SortedRow } from '../reading/observation-rows.js';
import type { OrderGroup } from '../reading/order-groups.js';
import type { PlannedPatient } from './patient.mapper.js';
import { closingOf, withClosing, type SentClosing } from './wound-closing.mapper.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';

const MAX_LENGTH = 255;
/** SNOMED CT sides that core knows, and the abbreviations of senders. */
const SIDES: Readonly<Record<Laterality, { readonly code: string; readonly display: string }>> = {
  left: { code: '7771000', display: 'Left' },
  right: { code: '24028007', display: 'Right' },
  midline: { code: '255561001', display: 'Medial' },
};
const SIDE_WORDS: Readonly<Record<string, Laterality>> = {
  l: 'left',
  lt: 'left',
  left: 'left',
  links: 'left',
  r: 'right',
  rt: 'right',
  right: 'right',
  rechts: 'right',
  m: 'midline',
  midline: 'midline',
  medial: 'midline',
};

/** The facts of one wound in a message. */
export interface WoundFacts {
  /** The number and its place; null: it has none. */
  readonly number: { readonly value: string; readonly place: ProblemPlace } | null;
  readonly site: CodeableConcept | undefined;
  readonly side: CodeableConcept | undefined;
  readonly type: CodeableConcept | undefined;
  /** That a person found it closed; undefined: nothing is said of that. */
  readonly closing: SentClosing | undefined;
  /** Where it says its type, which is kept of a wound with a number alone. */
  readonly typePlace: ProblemPlace | null;
}

/** The wounds of an order. */
export interface GroupWounds {
  /** The facts that apply to rows with this wound of the message (OBX-4). */
  factsFor(subject: string): WoundFacts;
  /** The only wound of the order; null: there are several. */
  readonly only: WoundFacts | null;
  readonly all: readonly WoundFacts[];
}

/**
 * Rows name their wound of the message in OBX-4. If all facts are about one wound, they apply to every row; facts
 * without a number apply to all wounds.
 */
export function woundsOf(reading: Reading, group: OrderGroup, rows: readonly SortedRow[]): GroupWounds {
  const facts = rows.filter((row): row is SortedRow & { kind: 'fact' } => row.kind === 'fact');
  const subjects = [...new Set(facts.map(({ subject }) => subject).filter((subject) => subject !== ''))];
  const make = (mine: typeof facts): WoundFacts => factsOf(reading, group, mine, rows);
  if (subjects.length <= 1) {
    const only = make(facts);
    return { only, all: [only], factsFor: () => only };
  }
  // Of several wounds it has to be said which is closed.
  const shared = facts.filter(({ subject, fact }) => subject === '' && fact !== 'wound-closing');
  for (const { obx, subject, fact } of facts)
    if (subject === '' && fact === 'wound-closing')
      reading.draft.warn('finding.kept', placeIn(obx, 4), 'OBX-4 says which of the wounds is closed. None was.');
  const bySubject = new Map(
    subjects.map((subject) => [subject, make([...facts.filter((row) => row.subject === subject), ...shared])]),
  );
  return {
    only: null,
    all: [...bySubject.values()],
    factsFor: (subject) => bySubject.get(subject) ?? make(shared),
  };
}

const OF_NUMBERED =
  'The type is kept of a wound with a number: send it in a row wound-id. The photo opened a wound of its own without it.';

/** Where the wound is, as photo and order say it: of one without a number, which no other resource is about, with its side as a further code. */
export function siteSaid(facts: WoundFacts | null): CodeableConcept | undefined {
  if (facts === null) return undefined;
  const { number, site, side } = facts;
  if (number !== null || side === undefined) return site;
  return { ...site, coding: [...(site?.coding ?? []), ...(side.coding ?? [])] };
}

/** The number of a wound as the records have it. */
export function woundNameOf({ source }: Pick<Reading, 'source'>, value: string): SystemValue {
  return { system: source.woundIdSystem ?? '', value };
}

/** Plans the wound by its number; null: it is refused, or has no number and is a wound of its own. */
export async function planWound(
  reading: Reading,
  facts: WoundFacts,
  patient: PlannedPatient,
): Promise<PlannedResource | null> {
  const { draft, records, source } = reading;
  const { number } = facts;
  if (number === null) {
    if (facts.typePlace !== null) draft.warn('finding.kept', facts.typePlace, OF_NUMBERED);
    return null;
  }
  const name = woundNameOf(reading, number.value);
  return draft.once(`BodyStructure ${patient.reference} ${keyOf(name)}`, async () => {
    const said = definedOnly<BodyStructure>({
      location: facts.site,
      locationQualifier: facts.side === undefined ? undefined : [facts.side],
      morphology: facts.type,
    });
    const closing = facts.closing === undefined ? {} : { extension: [facts.closing.extension] };
    const found =
      patient.before === null ? [] : await records.findByIdentifier<BodyStructure>(source, 'BodyStructure', [name]);
    const ofPatient = found.find((wound) => wound.patient?.reference === patient.reference);
    // A look-up answers no more than some, and many patients have a wound 1.
    const hidden = ofPatient === undefined && found.length > 0;
    const before = hidden ? ((await records.woundOf(source, patient.reference, name)) ?? undefined) : ofPatient;
    if (before === undefined) {
      const identifier = [{ ...(name.system === '' ? {} : { system: name.system }), value: name.value }];
      return draft.create(
        { resourceType: 'BodyStructure', identifier, ...closing, ...said, patient: referenceTo(patient) },
        number.place,
        criteriaOfWound(name, patient),
      );
    }
    const known = { reference: `BodyStructure/${before.id}`, entry: null };
    const isLeft = isLeftAsOutdated(reading.earlier, before);
    if (!isLeft && isOutdatedBy(reading.earlier, before)) return known;
    const after: BodyStructure = { ...before, ...(await withClosing(reading, before, facts.closing)), ...said };
    if (isSameResource(before, after)) return known;
    if (!isLeft) return draft.change(after, number.place);
    draft.warn('message.not_carried_out', number.place, SAID_SINCE);
    return known;
  });
}

/** Plans each wound that a row says is closed, also where the message says nothing else of it. */
export async function planClosings(reading: Reading, wounds: GroupWounds, patient: PlannedPatient): Promise<void> {
  for (const facts of wounds.all) {
    if (facts.closing === undefined) continue;
    if (facts.number === null)
      reading.draft.warn(
        'finding.kept',
        facts.closing.place,
        'A wound is closed by its number: send it in a row wound-id.',
      );
    else await planWound(reading, facts, patient);
  }
}

/** Whether the source requires a wound number and there is none, which is then refused. */
export function isWoundNumberMissing({ source, draft }: Reading, wounds: GroupWounds, segment: Er7Segment): boolean {
  if (source.woundKey !== 'required' || wounds.all.every(({ number }) => number !== null)) return false;
  draft.refuse(
    'field.required',
    placeIn(segment),
    'This source sends a wound number with every photo and order: an OBX row with the code wound-id.',
  );
  return true;
}

function factsOf(
  reading: Reading,
  { obr }: OrderGroup,
  facts: readonly (SortedRow & { kind: 'fact' })[],
  rows: readonly SortedRow[],
): WoundFacts {
  const rowOf = (wanted: string): Er7Segment | undefined => facts.find(({ fact }) => fact === wanted)?.obx;
  const concept = (wanted: string): CodeableConcept | undefined =>
    conceptOf(reading, rowOf(wanted)?.field(5).repetitions[0]);
  const typeRow = rowOf('wound-type');
  return {
    number: numberOf(reading, facts, obr),
    site: concept('wound-site') ?? siteOfRows(reading, rows),
    side: sideOf(reading, rowOf('wound-side')),
    type: concept('wound-type'),
    closing: closingOf(reading, rowOf('wound-closing'), obr),
    typePlace: typeRow === undefined ? null : placeIn(typeRow),
  };
}

function numberOf(
  reading: Reading,
  facts: readonly (SortedRow & { kind: 'fact' })[],
  obr: Er7Segment | null,
): WoundFacts['number'] {
  const { source, draft } = reading;
  const stated = facts
    .filter(({ fact }) => fact === 'wound-id')
    .flatMap(({ obx }) => {
      const sent = obx.field(5).text;
      const value = plain(sent, MAX_LENGTH + 1);
      return value === undefined ? [] : [{ value, sent, place: placeIn(obx, 5) }];
    });
  const field = source.woundNumberField === 'OBR-18' ? 18 : 19;
  const sent = source.woundNumberField === null || obr === null ? '' : obr.field(field).text;
  const placed = plain(sent, MAX_LENGTH + 1);
  const number = stated[0] ?? (placed === undefined ? null : { value: placed, sent, place: placeIn(obr!, field) });
  if (stated.some(({ value }) => value !== number?.value))
    return draft.refuse('wound.multiple_numbers', stated.at(-1)!.place);
  if (number === null) return null;
  if (isUnreadable(reading, [number.sent], number.place)) return null;
  return number.value.length > MAX_LENGTH
    ? draft.refuse('value.identifier', number.place)
    : { value: number.value, place: number.place };
}

/** From 2.7 on OBX-20 has the site, unless a row of its own names it. */
function siteOfRows(reading: Reading, rows: readonly SortedRow[]): CodeableConcept | undefined {
  if (!isAtLeastVersion(reading.header.versionId, '2.7')) return undefined;
  return rows
    .map(({ obx }) => conceptOf(reading, obx.field(20).repetitions[0]))
    .find((concept) => concept !== undefined);
}

function sideOf(reading: Reading, obx: Er7Segment | undefined): CodeableConcept | undefined {
  const value = obx?.field(5).repetitions[0];
  if (obx === undefined || value === undefined) return undefined;
  const codes = sentCodesOf(value);
  const word = codes.map(({ code }) => lookUp(SIDE_WORDS, code.toLowerCase())).find((found) => found !== undefined);
  if (word !== undefined) return { coding: [{ system: SNOMED, ...SIDES[word] }] };
  if (!codes.some(({ system }) => system === 'SCT'))
    return (
      reading.draft.warn(
        'code.unknown',
        placeIn(obx, 5),
        'The side is left, right or midline, or a code of SNOMED CT. It was left out.',
      ) ?? undefined
    );
  return conceptOf(reading, value);
}

/**
 * Two patients may have wounds of one number. Of two concurrent messages about a new patient the record refuses one,
 * which begins anew.
 */
function criteriaOfWound(name: SystemValue, patient: PlannedPatient): string | undefined {
  return patient.before === null ? undefined : `${criteriaOf([name])}&patient=${patient.reference}`;
}
