import type { ServiceRequest } from '@medplum/fhirtypes';
import { placeOf, planEncounter } from '../resources/encounter.mapper.js';
import { hasPhotos, photoSegmentOf, planContent } from './group-content.js';
import { criteriaOf, keyOf, type SystemValue } from '../reading/identifiers.js';
import { placeIn, type Reading } from '../reading/message-reading.js';
import { sortRows, type SortedRow } from '../reading/observation-rows.js';
import { withPrefetchedLookups } from './prefetched-lookups.js';
import { findOrder, orderNumbersOf, type OrderNumbers } from './named-order.js';
import { receivedOrderOf } from './read-order.js';
import { orderOfFiledPhotos } from '../resources/filed-orders.js';
import { sectionsOf, type OrderGroup, type PatientSection } from '../reading/order-groups.js';
import { leaveProcedures } from '../resources/procedure.mapper.js';
import { planPatient, type PlannedPatient } from '../resources/patient.mapper.js';
import type { OrderAction } from '../plan/inbound-plan.js';
import type { PlannedResource } from '../plan/plan-draft.js';
import {
  begunOrder,
  isAnalysisCode,
  knownOrder,
  serviceRequestOf,
  warnOfEnd,
} from '../resources/service-request.mapper.js';
import { isWoundNumberMissing, siteSaid, planWound, woundsOf, type GroupWounds } from '../resources/wound.mapper.js';

/** Table 0123. */
const RESULT_STATUS: readonly string[] = ['O', 'I', 'S', 'A', 'P', 'R', 'F', 'C', 'X', 'Y', 'Z', 'N', 'M'];

interface ResultContext {
  readonly section: PatientSection;
  readonly group: OrderGroup;
  readonly patient: PlannedPatient;
  readonly rows: readonly SortedRow[];
  readonly wounds: GroupWounds;
  readonly encounter: PlannedResource | null;
}

interface OrderOfPhotos extends PlannedResource {
  /** A known order, which is asked for its analysis behind its photos where they come as the wound assessment. */
  readonly toAsk?: ServiceRequest;
}

/** ORU^R01: plans photos, documents and findings of one or several patients. */
export async function planResults(given: Reading): Promise<void> {
  const reading = withPrefetchedLookups(given);
  const { draft } = reading;
  for (const section of sectionsOf(reading.message)) {
    const patient = await planPatient(reading, section.pid, 'name');
    if (section.groups.length === 0)
      draft.refuse('segment.missing', { segment: 'OBR', sequence: 1 }, 'Results stand under an OBR segment.');
    leaveProcedures(reading, section.procedures);
    for (const group of section.groups) await planResultGroup(reading, section, group, patient);
  }
}

/** Plans the photos, documents and findings of one OBR. `action`: what its ORC-1 says, for the answer. */
export async function planResultGroup(
  reading: Reading,
  section: PatientSection,
  group: OrderGroup,
  patient: PlannedPatient | null,
  action: OrderAction = { control: 'RE', kind: 'none' },
): Promise<void> {
  const { draft } = reading;
  if (!isComplete(reading, group)) return;
  const rows = sortRows(reading, group.rows);
  const wounds = woundsOf(reading, group, rows);
  if (patient === null) return;
  if (hasPhotos(rows) && isWoundNumberMissing(reading, wounds, photoSegmentOf(group, rows)!)) return;
  const encounter = await planEncounter(reading, section.pv1, patient, 'name');
  const numbers = orderNumbersOf(reading, group);
  const { placer } = numbers;
  const order = await orderOf(reading, { section, group, patient, rows, wounds, encounter }, numbers);
  if (order === 'refused') return;
  await planContent(reading, group, rows, { patient, encounter, order, numbers, wounds });
  const asking = order?.toAsk === undefined ? order : await knownOrder(reading, order.toAsk, group.obr);
  if (hasPhotos(rows))
    draft.order({
      action,
      received: receivedOrderOf(reading, section, group, placer),
      entry: asking?.entry ?? null,
    });
}

/** The order that the results are of, or a new one if the photos are to be analysed. null: none. */
async function orderOf(
  reading: Reading,
  context: ResultContext,
  numbers: OrderNumbers,
): Promise<OrderOfPhotos | null | 'refused'> {
  const { draft, source, earlier } = reading;
  const { group, patient, rows } = context;
  const { placer } = numbers;
  const existing = await findOrder(reading, numbers, patient);
  if (existing !== null) {
    if (existing.subject?.reference === patient.reference) return orderWithPhotos(reading, context, existing);
    draft.refuse('order.other_patient', placeIn((group.orc ?? group.obr)!, 2));
    return 'refused';
  }
  if (!hasPhotos(rows) || !(source.autoAnalyze || isAnalysisCode(reading, group.obr))) return null;
  const filed = earlier === null ? null : await orderOfFiledPhotos(reading, patient, rows, numbers);
  if (filed !== null) return filed === 'asked' ? null : { reference: `ServiceRequest/${filed.id}`, entry: null };
  const key =
    placer === null ? `ServiceRequest of ${(group.obr ?? group.orc)?.place ?? 0}` : `ServiceRequest ${keyOf(placer)}`;
  return draft.once(key, () => makeOrder(reading, context, placer));
}

/** The order as it is; one of something else becomes an analysis where its photos come as the wound assessment. */
function orderWithPhotos(reading: Reading, { group, rows }: ResultContext, existing: ServiceRequest): OrderOfPhotos {
  const known = { reference: `ServiceRequest/${existing.id}`, entry: null };
  if (!hasPhotos(rows)) return known;
  if (reading.earlier?.kind !== 'taken') warnOfEnd(reading, existing, (group.orc ?? group.obr)!);
  return { ...known, toAsk: existing };
}

async function makeOrder(
  reading: Reading,
  { section, group, patient, wounds, encounter }: ResultContext,
  placer: SystemValue | null,
): Promise<PlannedResource> {
  const wound = wounds.only === null ? null : await planWound(reading, wounds.only, patient);
  const request = serviceRequestOf(reading, group, placer, {
    patient,
    encounter,
    place: placeOf(section.pv1),
    wound,
    site: siteSaid(wounds.only),
  });
  return reading.draft.create(
    begunOrder(request),
    placeIn((group.orc ?? group.obr)!),
    placer === null ? undefined : criteriaOf([placer]),
  );
}

function isComplete(reading: Reading, { obr, orc, rows }: OrderGroup): boolean {
  const { draft } = reading;
  if (obr === null)
    return (
      draft.refuse(
        'segment.missing',
        orc === null ? { segment: 'OBR', sequence: 1 } : placeIn(orc),
        'Results stand under an OBR segment.',
      ) ?? false
    );
  const status = obr.field(25).text.trim().toUpperCase();
  if (status !== '' && !RESULT_STATUS.includes(status))
    draft.refuse('code.unknown', placeIn(obr, 25), 'OBR-25 is not one of table 0123.');
  if (obr.field(4).state !== 'valued')
    draft.refuse('field.required', placeIn(obr, 4), 'OBR-4 says what the results are of.');
  return rows.length > 0 || obr.field(4).state === 'valued';
}
