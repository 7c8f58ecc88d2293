import type { ObservationComponent } from '@medplum/fhirtypes';
import { HOURS, isClockPosition, MOST_LISTED } from '../../../../core/analysis/clinician-observations.js';
import { CLOCK, CLOCK_POSITIONS, SNOMED, CLINICIAN_CODES, type Code } from '../../../../reports/index.js';
import type { Er7Repetition } from '../../../../standards/hl7v2/er7/er7-message.js';
import { codeSystemOf, sentCodesOf } from '../reading/coded-values.js';
import { placeIn, type Reading } from '../reading/message-reading.js';
import type { FindingRow } from '../reading/observation-rows.js';
import { quantityOf, type FindingValue } from './finding-value.js';

const KINDS = ['undermining', 'tunnelling'] as const;
type Kind = (typeof KINDS)[number];

/** A row to be planned. `value`: what it states together with another row; absent: what it states by itself. */
export interface FindingUnit {
  readonly row: FindingRow;
  readonly value?: FindingValue;
}

/** Text of one hour, or of two with a dash or "to" between them. */
const HOURS_TEXT = /^(\d{1,3})(?:\s*(?:-|–|to)\s*(\d{1,3}))?$/i;

/**
 * Joins the depth of an undermining or a tunnel with its clock position: two rows with the same OBX-4, one of each. Rows without a
 * partner, or with several, are planned by themselves, with a warning: which belongs to which is not guessed.
 */
export function joinDepthsAndPositions(reading: Reading, rows: readonly FindingRow[]): FindingUnit[] {
  const counts = new Map<string, number>();
  return rows.flatMap((row): FindingUnit[] => {
    const kind = KINDS.find((one) => row.code === CLINICIAN_CODES[one].code || row.code === CLOCK[one].code);
    if (kind === undefined) return [{ row }];
    const partner = partnerOf(rows, row, kind);
    if (partner === null) {
      reading.draft.warn('finding.unread', placeIn(row.obx, 5));
      return [{ row }];
    }
    // The depth speaks for both.
    if (row.code === CLOCK[kind].code) return [];
    const value = depthWithPosition(reading, kind, row, partner);
    if (value === 'refused') return [];
    const counted = `${kind} ${row.subject}`;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, count);
    if (value === null) reading.draft.warn('finding.unread', placeIn(row.obx, 5));
    if (count > MOST_LISTED) reading.draft.refuse('finding.too_many', placeIn(row.obx, 5));
    return value === null ? [{ row }, { row: partner }] : [{ row, value }];
  });
}

/** The only row of the other kind in a group that has one row of each; null: there is none. */
function partnerOf(rows: readonly FindingRow[], row: FindingRow, kind: Kind): FindingRow | null {
  const group = rows.filter(({ obx }) => obx.field(4).text.trim() === row.obx.field(4).text.trim());
  const [depth, ...depths] = group.filter(({ code }) => code === CLINICIAN_CODES[kind].code);
  const [clock, ...clocks] = group.filter(({ code }) => code === CLOCK[kind].code);
  if (depths.length > 0 || clocks.length > 0) return null;
  return (row === depth ? clock : depth) ?? null;
}

/** null: the position is not understood. */
function depthWithPosition(
  reading: Reading,
  kind: Kind,
  depth: FindingRow,
  clock: FindingRow,
): FindingValue | 'refused' | null {
  const hours = hoursOf(reading, clock);
  const [first, ...depths] = depth.obx.field(5).repetitions;
  const isNumber = depth.obx.field(2).text.trim() === 'NM';
  if (hours === null || first === undefined || depths.length > 0 || !isNumber) return null;
  if (kind === 'tunnelling' && hours.length > 1) return null;
  if (!hours.every(isClockPosition)) {
    reading.draft.refuse('value.number', placeIn(clock.obx, 5), `Clock positions are from 1 to ${HOURS}.`);
    return 'refused';
  }
  const valueQuantity = quantityOf(reading, depth, first, 0);
  if (valueQuantity === null) return 'refused';
  const ends = hours.length === 1 ? [] : [CLOCK.from, CLOCK.to];
  return {
    valueQuantity,
    component: hours.map((hour, index) => componentOf([CLOCK[kind], ...ends.slice(index, index + 1)], hour)),
  };
}

function componentOf(codes: readonly Code[], valueInteger: number): ObservationComponent {
  return { code: { coding: codes.map((code) => ({ ...code })) }, valueInteger };
}

/** One hour, or the two ends of a stretch; null: not understood. */
function hoursOf(reading: Reading, { obx }: FindingRow): readonly number[] | null {
  const { repetitions } = obx.field(5);
  const hours =
    obx.field(2).text.trim() === 'SN'
      ? repetitions.map(structuredHours)
      : repetitions.map((repetition) => hoursIn(reading, repetition));
  if (hours.some((each) => each === null)) return null;
  const all = hours.flatMap((each) => each ?? []);
  return all.length === 1 || all.length === 2 ? all : null;
}

/** SN: `^2^-^5` is a range, `^2` one number. */
function structuredHours(repetition: Er7Repetition): readonly number[] | null {
  const [comparator, first, separator, second] = [1, 2, 3, 4].map((place) => repetition.text(place).trim());
  if (comparator !== '' && comparator !== '=') return null;
  if (separator === '' && second === '') return hoursInText(first!);
  return separator === '-' ? hoursInText(`${first!}-${second!}`) : null;
}

function hoursIn(reading: Reading, repetition: Er7Repetition): readonly number[] | null {
  const position = sentCodesOf(repetition).find(
    ({ code, system }) => codeSystemOf(reading, system) === SNOMED && CLOCK_POSITIONS.includes(code),
  );
  return position === undefined ? hoursInText(repetition.text(1).trim()) : [CLOCK_POSITIONS.indexOf(position.code) + 1];
}

function hoursInText(text: string): readonly number[] | null {
  const [, first, second] = HOURS_TEXT.exec(text) ?? [];
  if (first === undefined) return null;
  return second === undefined ? [Number(first)] : [Number(first), Number(second)];
}
