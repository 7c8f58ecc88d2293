import type { ServiceRequest } from '@medplum/fhirtypes';
import { placeOf, planEncounter } from '../resources/encounter.mapper.js';
import { hasPhotos, planContent } from './group-content.js';
import { planBrought } from './brought-content.js';
import { criteriaOf, keyOf, type SystemValue } from '../reading/identifiers.js';
import type { OrderAction } from '../plan/inbound-plan.js';
import { tableCodeOf } from '../reading/code-maps.js';
import { isOutdatedBy } from '../reading/earlier-handling.js';
import { isSameResource, placeIn, type Reading } from '../reading/message-reading.js';
import { sortRows, type SortedRow } from '../reading/observation-rows.js';
import { fileTypeOf } from '../../../../standards/hl7v2/er7/encapsulated-data.js';
import { planResultGroup } from './result-message.mapper.js';
import { isEarlierResult } from './earlier-results.js';
import { withPrefetchedLookups } from './prefetched-lookups.js';
import { findOrder, orderNumbersOf, type OrderNumbers } from './named-order.js';
import { receivedOrderOf, placerOf } from './read-order.js';
import { sectionsOf, type OrderGroup, type PatientSection } from '../reading/order-groups.js';
import { leaveProcedures } from '../resources/procedure.mapper.js';
import { planPatient, type PlannedPatient } from '../resources/patient.mapper.js';
import type { PlannedResource } from '../plan/plan-draft.js';
import {
  completedOrder,
  isAnalysisCode,
  isBegun,
  isOpen,
  isRevoked,
  knownOrder,
  saidBefore,
  saidOfOrder,
  serviceRequestOf,
  warnOfEnd,
  withAccession,
} from '../resources/service-request.mapper.js';
import { isWoundNumberMissing, siteSaid, planWound, woundsOf, type GroupWounds } from '../resources/wound.mapper.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';
import { CHANGED_SINCE } from '../../../../standards/hl7v2/problems/problem-catalogue.js';

const PHOTOS_ADDED = 'The order is known. Its photos were added to it; nothing else of it was changed.';
const ANALYSIS_ASKED =
  'The order is known, and its service code asks for the assessment by now. Its photos are analysed; nothing else of it was changed.';
const LEFT_AS_OUTDATED =
  'The order was changed since this message came. What the message asks for was left out, as it may be outdated.';

/** One order of the message. */
interface AskedOrder {
  readonly section: PatientSection;
  readonly group: OrderGroup & { readonly orc: NonNullable<OrderGroup['orc']> };
  readonly action: OrderAction;
  readonly placer: SystemValue;
  readonly patient: PlannedPatient;
  /** The stored order; null: it is new. */
  readonly existing: ServiceRequest | null;
}

/** ORM^O01, OMG^O19, OML^O21, OMI^O23: the orders of each patient of the message. */
export async function planOrders(given: Reading): Promise<void> {
  const reading = withPrefetchedLookups(given);
  const named = new Set<string>();
  for (const [index, section] of sectionsOf(reading.message).entries())
    await planSection(reading, section, index > 0, named);
}

async function planSection(
  reading: Reading,
  section: PatientSection,
  isBehindSecondPid: boolean,
  named: Set<string>,
): Promise<void> {
  leaveProcedures(reading, section.procedures);
  const groups = section.groups.filter((group) => !isEarlierResult(reading, group, isBehindSecondPid));
  if (isBehindSecondPid && groups.length === 0 && section.groups.length > 0) return;
  const patient = await planPatient(reading, section.pid, 'name');
  if (groups.length === 0)
    reading.draft.refuse(
      'segment.missing',
      isBehindSecondPid && section.pid !== null ? placeIn(section.pid) : { segment: 'ORC', sequence: 1 },
      'An order begins with an ORC segment.',
    );
  for (const group of groups) {
    if (group.orc === null)
      reading.draft.refuse(
        'segment.missing',
        group.obr === null ? { segment: 'ORC', sequence: 1 } : placeIn(group.obr),
        'Each order begins with an ORC segment of its own.',
      );
    else await planOrder(reading, section, group as AskedOrder['group'], patient, named);
  }
}

async function planOrder(
  reading: Reading,
  section: PatientSection,
  group: AskedOrder['group'],
  patient: PlannedPatient | null,
  named: Set<string>,
): Promise<void> {
  const { draft } = reading;
  const action = actionOf(reading, group);
  const placer = placerOf(reading, group);
  if (action === null) return;
  // What a status message brings is a result like any other: a photo is never left in the raw message.
  if (action.kind === 'none' && bringsFiles(reading, group))
    return planResultGroup(reading, section, group, patient, action);
  if (action.kind !== 'create' && action.kind !== 'change') leaveProcedures(reading, group.procedures);
  if (placer === null && action.kind !== 'none' && !draft.isRefused)
    draft.refuse('field.required', placeIn(group.orc, 2), 'An order has its placer number in ORC-2 or OBR-2.');
  const received = receivedOrderOf(reading, section, group, placer);
  let entry: number | null = null;
  if (patient !== null && placer !== null && action.kind !== 'none') {
    if (named.has(keyOf(placer)))
      draft.refuse('order.exists', placeIn(group.orc, 2), 'The message has two orders with this placer number.');
    named.add(keyOf(placer));
    const existing = await findOrder(reading, namingNumbersOf(reading, group, action), patient);
    const asked: AskedOrder = { section, group, action, placer, patient, existing };
    if (existing !== null && existing.subject?.reference !== patient.reference)
      draft.refuse('order.other_patient', placeIn(group.orc, 2));
    else entry = (await carryOut(reading, asked))?.entry ?? null;
  }
  draft.order({ action, received, entry });
}

/** By its accession number an order is only what photos began, where it orders the assessment: other requests may have that number, too. */
function namingNumbersOf(reading: Reading, group: AskedOrder['group'], { kind }: OrderAction): OrderNumbers {
  const numbers = orderNumbersOf(reading, group);
  return kind === 'create' && isAnalysisCode(reading, group.obr) ? numbers : { ...numbers, accession: null };
}

function actionOf({ draft, source }: Reading, { orc }: AskedOrder['group']): OrderAction | null {
  const control = tableCodeOf(source.codes, 'ORC-1', orc);
  if (control === '') return draft.refuse('field.required', placeIn(orc, 1), 'ORC-1 says what is asked for.');
  return (
    orderActionOf(control) ??
    draft.refuse('code.unknown', placeIn(orc, 1), 'ORC-1 is NW, XO, RP, CA, DC, HD, RL, SN, SC, SR, RE or PR.')
  );
}

function carryOut(reading: Reading, order: AskedOrder): Promise<PlannedResource | null> | PlannedResource | null {
  const { action, existing, group } = order;
  const { earlier } = reading;
  if (existing === null && (action.kind !== 'create' || earlier?.kind === 'taken'))
    return reading.draft.refuse('order.unknown', placeIn(group.orc, 2));
  if (existing !== null && earlier?.kind === 'taken') return addToOrder(reading, order, existing);
  if (existing === null || action.kind === 'create') return createOrder(reading, order);
  if (isOutdatedBy(earlier, existing)) {
    if (action.kind === 'change') leaveProcedures(reading, group.procedures);
    return leaveOutdated(reading, order, existing);
  }
  switch (action.kind) {
    case 'change':
      return changeOrder(reading, order, existing);
    case 'cancel':
      return changeStatus(reading, order, existing, 'revoked');
    case 'hold':
      return changeStatus(reading, order, existing, 'on-hold');
    case 'release':
      return existing.status === 'on-hold'
        ? changeStatus(reading, order, existing, 'active')
        : { reference: `ServiceRequest/${existing.id}`, entry: null };
    case 'none':
      return null;
  }
}

/** A cancellation or a hold stays refused, so that a person sees that the order goes on; unless it does not. */
function leaveOutdated({ draft }: Reading, { action, group }: AskedOrder, existing: ServiceRequest): null {
  const place = placeIn(group.orc, 1);
  const canEnd = action.kind === 'cancel' || action.kind === 'hold';
  if (!canEnd || existing.status === 'completed') return draft.warn('message.not_carried_out', place, LEFT_AS_OUTDATED);
  const wanted = action.kind === 'cancel' ? 'revoked' : 'on-hold';
  const isDone = existing.status === wanted || existing.status === 'revoked';
  return isDone ? null : draft.refuse('message.not_carried_out', place, CHANGED_SINCE);
}

/** Creates an order with its photos, if any. A known number with photos completes the order that waits for them. */
async function createOrder(reading: Reading, order: AskedOrder): Promise<PlannedResource | null> {
  const { draft } = reading;
  const { group, placer, existing } = order;
  if (!isComplete(reading, group)) return null;
  const rows = sortRows(reading, group.rows);
  const wounds = woundsOf(reading, group, rows);
  if (isWoundNumberMissing(reading, wounds, group.obr)) return null;
  if (existing !== null && !(isBegun(existing) && !isRevoked(existing)))
    return completeOrder(reading, order, existing, rows, wounds);
  if (existing === null && !isAnalysisCode(reading, group.obr))
    draft.warn('order.not_an_analysis', placeIn(group.obr, 4));
  const encounter = await planEncounter(reading, order.section.pv1, order.patient, 'name');
  const wound = wounds.only === null ? null : await planWound(reading, wounds.only, order.patient);
  const request = serviceRequestOf(reading, group, placer, {
    patient: order.patient,
    encounter,
    place: placeOf(order.section.pv1),
    wound,
    site: siteSaid(wounds.only),
  });
  const planned =
    existing === null ? newOrder(reading, order, request) : completeBegun(reading, order, existing, request);
  const numbers = orderNumbersOf(reading, group);
  await planContent(reading, group, rows, { patient: order.patient, encounter, order: planned, numbers, wounds });
  return planned;
}

/** Two messages with one number at the same moment do not both make an order: the second is read again. */
function newOrder({ draft }: Reading, { group, placer }: AskedOrder, request: ServiceRequest): PlannedResource {
  draft.expectNoOrder(placer);
  return draft.create(request, placeIn(group.orc), criteriaOf([placer]));
}

/** The order of what its photo began: requester, visit, reasons and notes are now known. What was said of it since the message came stands. */
function completeBegun(
  reading: Reading,
  { group }: AskedOrder,
  begun: ServiceRequest,
  request: ServiceRequest,
): PlannedResource {
  const { draft, earlier } = reading;
  const placed = isOutdatedBy(earlier, begun) ? { ...request, ...saidBefore(begun) } : request;
  return draft.change(completedOrder(reading, begun, placed), placeIn(group.orc));
}

async function completeOrder(
  reading: Reading,
  order: AskedOrder,
  existing: ServiceRequest,
  rows: readonly SortedRow[],
  wounds: GroupWounds,
): Promise<PlannedResource | null> {
  const { group, patient, section } = order;
  const place = placeIn(group.orc, 2);
  const waits =
    hasPhotos(rows) && isOpen(existing) && (await reading.records.waitsForPhoto(reading.source, existing.id!));
  if (!waits) return reading.draft.refuse('order.exists', place);
  reading.draft.awaitOrder(existing.id!);
  await planContent(reading, group, rows, {
    patient,
    encounter: await planEncounter(reading, section.pv1, patient, 'name'),
    order: { reference: `ServiceRequest/${existing.id}`, entry: null },
    numbers: orderNumbersOf(reading, group),
    wounds,
  });
  const known = await knownOrder(reading, existing, group.obr);
  reading.draft.warn('order.exists', place, known.entry === null ? PHOTOS_ADDED : ANALYSIS_ASKED);
  return known;
}

/** What was left out of an order, or of its change, when it came: its analysis, photos, findings. What it says otherwise is older than the record. */
async function addToOrder(
  reading: Reading,
  order: AskedOrder,
  existing: ServiceRequest,
): Promise<PlannedResource | null> {
  const { group, action } = order;
  if (action.kind !== 'create' && action.kind !== 'change') return null;
  const rows = sortRows(reading, group.rows);
  if (group.obr !== null && !isAnalysisCode(reading, group.obr))
    reading.draft.warn('order.not_an_analysis', placeIn(group.obr, 4));
  await planBrought(reading, order, rows, { reference: `ServiceRequest/${existing.id}`, entry: null });
  const named = withAccession(reading, existing, group);
  const known = await knownOrder(reading, named, group.obr);
  return known.entry === null && named !== existing ? reading.draft.change(named, placeIn(group.orc)) : known;
}

/** Changes clinical context, priority and times; absent fields stay. Photos of the message belong to the order. */
async function changeOrder(reading: Reading, order: AskedOrder, existing: ServiceRequest): Promise<PlannedResource> {
  const { draft } = reading;
  const { group } = order;
  const rows = sortRows(reading, group.rows);
  const after: ServiceRequest = { ...withAccession(reading, existing, group), ...saidOfOrder(reading, group) };
  const planned = isSameResource(existing, after)
    ? { reference: `ServiceRequest/${existing.id}`, entry: null }
    : draft.change(after, placeIn(group.orc));
  if (hasPhotos(rows)) warnOfEnd(reading, existing, group.orc);
  await planBrought(reading, order, rows, planned);
  return planned;
}

/** The record decides whether this is still possible: a running analysis cannot be cancelled. */
function changeStatus(
  { draft }: Reading,
  { group }: AskedOrder,
  existing: ServiceRequest,
  status: 'active' | 'on-hold' | 'revoked',
): PlannedResource {
  if (existing.status === status) return { reference: `ServiceRequest/${existing.id}`, entry: null };
  return draft.change({ ...existing, status }, placeIn(group.orc, 1));
}

function isComplete(
  reading: Reading,
  group: AskedOrder['group'],
): group is AskedOrder['group'] & { readonly obr: NonNullable<OrderGroup['obr']> } {
  const { draft } = reading;
  if (group.obr === null)
    return draft.refuse('segment.missing', { segment: 'OBR', sequence: 1 }, 'An order has an OBR segment.') ?? false;
  if (group.obr.field(4).state === 'valued') return true;
  return draft.refuse('field.required', placeIn(group.obr, 4), 'OBR-4 says what is ordered.') ?? false;
}

function bringsFiles({ message }: Reading, { rows }: OrderGroup): boolean {
  return rows.some(({ obx }) => fileTypeOf(obx, message.delimiters) !== null);
}

/** The action that each ORC-1 of an order (table 0119) asks for. Status messages of the placer ask for none. */
const CONTROLS: Readonly<Record<string, OrderAction['kind']>> = {
  NW: 'create',
  XO: 'change',
  RP: 'change',
  CA: 'cancel',
  DC: 'cancel',
  HD: 'hold',
  RL: 'release',
  SN: 'none',
  SC: 'none',
  SR: 'none',
  RE: 'none',
};

/** Values of ORC-1 that are read; PR brings earlier results, which order nothing. */
export const ORDER_CONTROLS: readonly string[] = [...Object.keys(CONTROLS), 'PR'];

/** null: the code is not supported. */
function orderActionOf(control: string): OrderAction | null {
  const kind = lookUp(CONTROLS, control);
  return kind === undefined ? null : { control, kind };
}
