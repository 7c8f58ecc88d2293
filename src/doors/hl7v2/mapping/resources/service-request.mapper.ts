import type { CodeableConcept, Identifier, Reference, ServiceRequest } from '@medplum/fhirtypes';
import { ACCESSION, LOINC, OBSERVABLE } from '../../../../reports/index.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { isAtLeastVersion } from '../../../../standards/hl7v2/er7/message-writer.js';
import { conceptOf, conceptsOf, sentCodesOf } from '../reading/coded-values.js';
import {
  accessionIdentifier,
  accessionOf,
  fillerIdentifier,
  fillerOf,
  placerIdentifier,
  sameKeyOf,
  systemValueOf,
  type SystemValue,
} from '../reading/identifiers.js';
import { placeIn, plain, definedOnly, timeOf, type Reading } from '../reading/message-reading.js';
import type { OrderGroup } from '../reading/order-groups.js';
import { practitionerOf } from '../reading/persons.js';
import { referenceTo, type PlannedResource } from '../plan/plan-draft.js';
import { lookUp } from '../../../../standards/hl7v2/er7/table-lookup.js';

/** Table 0485 in FHIR; any other code is routine. */
const PRIORITY: Readonly<Record<string, ServiceRequest['priority']>> = {
  S: 'stat',
  A: 'asap',
  ST: 'stat',
  T: 'urgent',
  U: 'urgent',
  R: 'routine',
};
/** The same limit as in the REST API. */
const MAX_CONTEXT = 4000;

/** The subjects of an order. */
export interface OrderContext {
  readonly patient: PlannedResource;
  readonly encounter: PlannedResource | null;
  /** Where the patient lies; kept with the order where no visit has it. */
  readonly place: string | null;
  readonly wound: PlannedResource | null;
  readonly site: CodeableConcept | undefined;
}

/** A new active order. `placer` null: results without an order here. */
export function serviceRequestOf(
  reading: Reading,
  group: OrderGroup,
  placer: SystemValue | null,
  context: OrderContext,
): ServiceRequest {
  const { patient, encounter, place, wound, site } = context;
  const filler = fillerOf(reading, group.orc) ?? fillerOf(reading, group.obr);
  const accession = accessionOf(reading, group);
  const identifier = [
    ...(placer === null ? [] : [placerIdentifier(placer)]),
    ...(filler === null ? [] : [fillerIdentifier(filler)]),
    ...(accession === null ? [] : [accessionIdentifier(accession)]),
  ];
  return {
    resourceType: 'ServiceRequest',
    ...(identifier.length === 0 ? {} : { identifier }),
    status: 'active',
    intent: 'order',
    subject: referenceTo(patient),
    ...(encounter === null ? {} : { encounter: referenceTo(encounter) }),
    ...(encounter !== null || place === null ? {} : { locationReference: [{ display: place }] }),
    ...(site === undefined ? {} : { bodySite: [site] }),
    ...(wound === null ? {} : { supportingInfo: [referenceTo(wound)] }),
    ...saidOfOrder(reading, group),
  };
}

/** Whether photos for the order are analysed. */
export function isOpen({ status }: ServiceRequest): boolean {
  return status === 'active' || status === 'on-hold';
}

/** Whether it was cancelled, or should never have been. */
export function isRevoked({ status }: ServiceRequest): boolean {
  return status === 'revoked' || status === 'entered-in-error';
}

/** A photo for a cancelled or completed order is kept; the warning tells the sender that no result follows. */
export function warnOfEnd({ draft }: Reading, order: ServiceRequest, segment: Er7Segment): void {
  if (!isOpen(order)) draft.warn('order.ended', placeIn(segment, 2));
}

/** The fields that a change may replace: code, priority, times, requester, reasons and notes. Absent ones stay. */
export function saidOfOrder(reading: Reading, group: OrderGroup): Partial<ServiceRequest> {
  const { orc, obr } = group;
  const requester =
    practitionerOf(reading, orc?.field(12).repetitions[0]) ?? practitionerOf(reading, obr?.field(16).repetitions[0]);
  const { reasonCode, note } = contextOf(reading, group);
  return definedOnly<ServiceRequest>({
    priority: priorityOf(reading, group),
    code: obr === null ? undefined : codeOf(reading, obr),
    occurrenceDateTime: plannedFor(reading, group),
    authoredOn: orc === null ? undefined : timeOf(reading, orc, 9)?.dateTime,
    requester: requester as Reference<never> | undefined,
    reasonCode,
    note,
  });
}

/** What `saidOfOrder` reads, as the order has it. */
export function saidBefore(order: ServiceRequest): Partial<ServiceRequest> {
  const { priority, code, occurrenceDateTime, authoredOn, requester, reasonCode, note } = order;
  return definedOnly<ServiceRequest>({ priority, code, occurrenceDateTime, authoredOn, requester, reasonCode, note });
}

/** Whether OBR-4 asks for the wound assessment. */
export function isAnalysisCode({ source }: Reading, obr: Er7Segment | null): boolean {
  return sentCodesOf(obr?.field(4).repetitions[0]).some(
    ({ code, system }) =>
      isPanel(code, system) ||
      source.analysisCodes.some((listed) =>
        [`${code}^${system}`, code].some((sent) => sent.toUpperCase() === listed.toUpperCase()),
      ),
  );
}

/**
 * The order with the panel's code, whatever the sender calls it, for a source whose photos are analysed without an
 * order.
 */
export function withPanel(request: ServiceRequest): ServiceRequest {
  return { ...request, code: panelBeside(request.code) };
}

/**
 * An order that results began whose order has not come. R4's filler-order is how the one who fulfils sees an order; the placer's own, once it
 * comes, makes it an `order` (`completedOrder`).
 */
export function begunOrder(request: ServiceRequest): ServiceRequest {
  return { ...withPanel(request), intent: 'filler-order' };
}

/** Whether results began the order, and nobody has ordered it yet. */
export function isBegun({ intent }: ServiceRequest): boolean {
  return intent === 'filler-order';
}

/**
 * A begun order with all that its placer says now. Its wound, its site and where it stands are those of the photo, and so is what was asked
 * for: it stays an analysis.
 */
export function completedOrder(reading: Reading, begun: ServiceRequest, placed: ServiceRequest): ServiceRequest {
  const said = placed.identifier ?? [];
  const keys = new Set(said.map((one) => sameKeyOf(reading, systemValueOf(one))));
  const isSaid = (one: Identifier): boolean => keys.has(sameKeyOf(reading, systemValueOf(one)));
  const { supportingInfo = placed.supportingInfo, bodySite = placed.bodySite } = begun;
  return withPanel({
    ...begun,
    ...placed,
    status: begun.status,
    identifier: [...said, ...(begun.identifier ?? []).filter((one) => !isSaid(one))],
    ...(supportingInfo === undefined ? {} : { supportingInfo }),
    ...(bodySite === undefined ? {} : { bodySite }),
  });
}

/** The order with the accession number that it was given since. */
export function withAccession(reading: Reading, order: ServiceRequest, group: OrderGroup): ServiceRequest {
  const accession = accessionOf(reading, group);
  const known = order.identifier ?? [];
  const isKnown = (one: Identifier): boolean =>
    isAccession(one) && sameKeyOf(reading, systemValueOf(one)) === sameKeyOf(reading, accession!);
  if (accession === null || known.some(isKnown)) return order;
  return { ...order, identifier: [...known.filter((one) => !isAccession(one)), accessionIdentifier(accession)] };
}

function isAccession({ type }: Identifier): boolean {
  return type?.coding?.some(({ code }) => code === ACCESSION.code) === true;
}

/** Whether photos for it are analysed, as its code has the panel. */
export function hasPanel({ code }: ServiceRequest): boolean {
  return code !== undefined && panelBeside(code) === code;
}

/**
 * A known order as it is; with the panel's code where the sender's code asks for the assessment and the order does not: its photos come as the
 * assessment, or the code means that by today's settings and did not when the order came. The photos that it has are analysed then.
 */
export async function knownOrder(
  reading: Reading,
  order: ServiceRequest,
  obr: Er7Segment | null,
): Promise<PlannedResource> {
  const { draft } = reading;
  const reference = `ServiceRequest/${order.id}`;
  const known = { reference, entry: null };
  if (obr === null || !isOpen(order) || hasPanel(order) || !isAnalysisCode(reading, obr)) return known;
  const asking = await draft.once(reference, () => Promise.resolve(draft.change(withPanel(order), placeIn(obr, 4))));
  return asking ?? known;
}

function isPanel(code: string, system: string): boolean {
  return code === OBSERVABLE.panel.code && (system === 'LN' || system === 'LOINC' || system === LOINC.toUpperCase());
}

/** The sender's codes, and the panel's where one of them means the same. */
function codeOf(reading: Reading, obr: Er7Segment): CodeableConcept | undefined {
  const concept = conceptOf(reading, obr.field(4).repetitions[0]);
  return isAnalysisCode(reading, obr) ? panelBeside(concept) : concept;
}

function panelBeside(concept: CodeableConcept | undefined): CodeableConcept {
  const coding = concept?.coding ?? [];
  if (concept !== undefined && coding.some(({ system, code }) => system === LOINC && code === OBSERVABLE.panel.code))
    return concept;
  return { ...concept, coding: [...coding, { ...OBSERVABLE.panel }] };
}

/** OBR-13, OBR-31 and notes, in this order: the clinical context of the analysis. */
function contextOf(reading: Reading, { obr, orc, notes }: OrderGroup): Pick<ServiceRequest, 'reasonCode' | 'note'> {
  if (obr === null && orc === null) return {};
  const relevant =
    obr
      ?.field(13)
      .repetitions.map((repetition) =>
        plain(repetition.text(9) || repetition.text(2) || repetition.text(1), MAX_CONTEXT + 1),
      ) ?? [];
  const context = plain(relevant.flatMap((text) => text ?? []).join('\n'), MAX_CONTEXT + 1);
  const reasons = obr === null ? [] : conceptsOf(reading, obr.field(31).repetitions);
  const lines = notes.flatMap(
    (note) =>
      plain(
        note
          .field(3)
          .repetitions.map((line) => line.text(1))
          .join('\n'),
        MAX_CONTEXT + 1,
      ) ?? [],
  );
  const length = [
    context ?? '',
    ...reasons.map(({ text, coding }) => text ?? coding?.[0]?.display ?? ''),
    ...lines,
  ].reduce((sum, text) => sum + [...text].length + 1, 0);
  if (length > MAX_CONTEXT + 1)
    reading.draft.refuse(
      'value.too_long',
      placeIn((notes[0] ?? obr ?? orc)!),
      `Clinical information, reasons and notes together have at most ${MAX_CONTEXT} characters.`,
    );
  return {
    reasonCode: [...(context === undefined ? [] : [{ text: context }]), ...reasons],
    note: lines.map((text) => ({ text })),
  };
}

/** TQ1-9 from 2.5 on; before, the sixth component of ORC-7 or OBR-27, and OBR-5. */
function priorityOf(reading: Reading, { orc, obr, timing }: OrderGroup): ServiceRequest['priority'] | undefined {
  const older = isAtLeastVersion(reading.header.versionId, '2.7')
    ? []
    : [orc?.field(7).repetitions[0]?.text(6), obr?.field(27).repetitions[0]?.text(6), obr?.field(5).text];
  const code = [timing?.field(9).text, ...older]
    .map((text) => text?.trim().toUpperCase() ?? '')
    .find((text) => text !== '');
  if (code === undefined) return undefined;
  return lookUp(PRIORITY, code) ?? (code.startsWith('T') ? 'urgent' : 'routine');
}

function plannedFor(reading: Reading, { obr, timing }: OrderGroup): string | undefined {
  return (
    (timing === null ? undefined : timeOf(reading, timing, 7)?.dateTime) ??
    (obr === null ? undefined : timeOf(reading, obr, 6)?.dateTime)
  );
}
