import { planEncounter } from '../resources/encounter.mapper.js';
import { timeOf, type Reading } from '../reading/message-reading.js';
import type { SortedRow } from '../reading/observation-rows.js';
import type { OrderGroup, PatientSection } from '../reading/order-groups.js';
import { PlanDraft, type PlannedResource } from '../plan/plan-draft.js';
import type { PlannedPatient } from '../resources/patient.mapper.js';
import { leaveProcedures } from '../resources/procedure.mapper.js';
import { woundsOf } from '../resources/wound.mapper.js';
import { planContent } from './group-content.js';
import { orderNumbersOf } from './named-order.js';

/** What a message says of an order that is known. */
interface KnownOrder {
  readonly section: PatientSection;
  readonly group: OrderGroup;
  readonly patient: PlannedPatient;
}

const SURROUNDINGS_UNREAD =
  'The number of the visit or wound, or the time, that the procedure goes by cannot be read. What was done was not recorded; the order was taken.';

/** The rows and procedures of an order that is known. Procedures alone never refuse it by what would not be read without them. */
export async function planBrought(
  reading: Reading,
  { section, group, patient }: KnownOrder,
  rows: readonly SortedRow[],
  order: PlannedResource,
): Promise<void> {
  if (rows.length === 0) {
    if (group.procedures.length === 0) return;
    const trial = { ...reading, draft: new PlanDraft() };
    await planEncounter(trial, section.pv1, patient, 'name');
    woundsOf(trial, group, rows);
    if (group.obr !== null) timeOf(trial, group.obr, 7);
    if (trial.draft.isRefused) return leaveProcedures(reading, group.procedures, SURROUNDINGS_UNREAD);
  }
  await planContent(reading, group, rows, {
    patient,
    encounter: await planEncounter(reading, section.pv1, patient, 'name'),
    order,
    numbers: orderNumbersOf(reading, group),
    wounds: woundsOf(reading, group, rows),
  });
}
