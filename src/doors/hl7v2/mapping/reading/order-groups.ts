import type { Er7Message, Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { HL7_LIMITS } from '../../../../standards/hl7v2/er7/limits.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { refused } from '../../../../standards/hl7v2/problems/problem-catalogue.js';

/** One OBX with the notes that follow it. */
export interface ObservationRow {
  readonly obx: Er7Segment;
  readonly notes: readonly Er7Segment[];
}

/** One PR1 with the notes that follow it. */
export interface ProcedureSegment {
  readonly pr1: Er7Segment;
  readonly notes: readonly Er7Segment[];
}

/** The segments of one order or one set of results. */
export interface OrderGroup {
  readonly orc: Er7Segment | null;
  readonly obr: Er7Segment | null;
  readonly timing: Er7Segment | null;
  /** The first of the order: its accession number. */
  readonly imaging: Er7Segment | null;
  /** NTE segments of the order itself. */
  readonly notes: readonly Er7Segment[];
  readonly rows: readonly ObservationRow[];
  /** What was done, as far as it stands in the group. */
  readonly procedures: readonly ProcedureSegment[];
}

/** The segments of one patient. */
export interface PatientSection {
  readonly pid: Er7Segment | null;
  readonly pv1: Er7Segment | null;
  readonly groups: readonly OrderGroup[];
  /** What was done, as far as it stands before the first group. */
  readonly procedures: readonly ProcedureSegment[];
}

interface OpenProcedure {
  readonly pr1: Er7Segment;
  readonly notes: Er7Segment[];
}

interface OpenGroup {
  orc: Er7Segment | null;
  obr: Er7Segment | null;
  timing: Er7Segment | null;
  imaging: Er7Segment | null;
  notes: Er7Segment[];
  rows: { obx: Er7Segment; notes: Er7Segment[] }[];
  procedures: OpenProcedure[];
}

interface OpenSection {
  pid: Er7Segment | null;
  pv1: Er7Segment | null;
  groups: OpenGroup[];
  procedures: OpenProcedure[];
  /** The notes of the row, procedure or order that came last; null: a note is of none. */
  notes: Er7Segment[] | null;
}

/**
 * Groups a message by patients and orders. Reads by the segments that begin a group, without a grammar: ORC begins an
 * order, so does OBR where the present order has one already, and PID begins a patient. Other segments are skipped.
 */
export function sectionsOf(message: Er7Message): PatientSection[] {
  const sections: OpenSection[] = [];
  for (const segment of message.segments) {
    const section = segment.name === 'PID' || sections.length === 0 ? open(sections) : sections.at(-1)!;
    place(section, segment);
  }
  return sections.filter(
    ({ pid, groups }, index) => pid !== null || groups.length > 0 || index === sections.length - 1,
  );
}

/** The problem of a message with too many orders or sets of results; null: it is within the limit. */
export function tooManyOrders(message: Er7Message): Hl7Problem | null {
  const first = sectionsOf(message).flatMap(({ groups }) => groups)[HL7_LIMITS.orders];
  if (first === undefined) return null;
  const { name, sequence } = first.orc ?? first.obr ?? first.rows[0]!.obx;
  return refused(
    'message.too_long',
    { segment: name, sequence },
    `A message has at most ${HL7_LIMITS.orders} orders or sets of results.`,
  );
}

function open(sections: OpenSection[]): OpenSection {
  const section: OpenSection = { pid: null, pv1: null, groups: [], procedures: [], notes: null };
  sections.push(section);
  return section;
}

function place(section: OpenSection, segment: Er7Segment): void {
  const group = section.groups.at(-1);
  switch (segment.name) {
    case 'PID':
      section.pid = segment;
      return;
    case 'PV1':
      section.pv1 ??= segment;
      return;
    case 'ORC':
      begin(section).orc = segment;
      return;
    case 'OBR':
      placeOrder(section, segment);
      return;
    case 'TQ1':
      if (group !== undefined) group.timing ??= segment;
      return;
    case 'IPC':
      if (group !== undefined) group.imaging ??= segment;
      return;
    case 'OBX':
      section.notes = [];
      (group ?? begin(section)).rows.push({ obx: segment, notes: section.notes });
      return;
    case 'PR1':
      section.notes = [];
      (group ?? section).procedures.push({ pr1: segment, notes: section.notes });
      return;
    case 'NTE':
      section.notes?.push(segment);
      return;
    default:
  }
}

function placeOrder(section: OpenSection, obr: Er7Segment): void {
  const group = section.groups.at(-1);
  const isNext = group === undefined || group.obr !== null || group.rows.length > 0;
  const of = isNext ? begin(section) : group;
  of.obr = obr;
  section.notes = of.notes;
}

function begin(section: OpenSection): OpenGroup {
  const notes: Er7Segment[] = [];
  const group: OpenGroup = { orc: null, obr: null, timing: null, imaging: null, notes, rows: [], procedures: [] };
  section.groups.push(group);
  section.notes = notes;
  return group;
}
