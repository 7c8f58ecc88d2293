import type { Tenant } from '../tenancy/tenant.js';

export const DOMAIN_EVENT_KINDS = [
  'analysis.queued',
  'analysis.started',
  'analysis.completed',
  'analysis.failed',
  'report.ready',
  'report.amended',
  'report.moved',
  'photo.shared',
  'wound.related',
  'wound.treated',
  'analysis.rejected',
  'image.stored',
  'image.lost',
  'image.deleted',
  'wound.closed',
  'wound.reopened',
  'quota.threshold',
  'patient.known',
  'held.settled',
] as const;
export type DomainEventKind = (typeof DOMAIN_EVENT_KINDS)[number];

/**
 * Those who listen at an exit, as long as a tenant has any: HL7 v2 destinations, FHIR Subscriptions that are not off, EHRs that results are filed in, and
 * those who ever asked for FHIR.
 */
export type EventAudience = 'hl7-destinations' | 'fhir-subscriptions' | 'fhir' | 'ehrs';

/**
 * Something that happened, written in the transaction that made it happen. Carries ids only.
 * `analysis.completed`: a job ended whose report is still to be made; where both are written together, `report.ready` tells of them.
 * `report.moved`: a further version that a merge of patients made; told apart from `report.amended`, since nobody asked for a result anew.
 * `photo.shared`: reports of the same photo may have to be told of each other.
 * `wound.related`: what the series of a wound rests on changed elsewhere: the areas of a wound with which it grew together or fell apart, or the
 * birth date of its patient.
 * `wound.treated`: a clinical event of the wound was recorded or withdrawn.
 * `patient.known`: a number that something waits for has become a patient's.
 * `held.settled`: a person decided about something that waited; what they decided is still to be done.
 * `quota.threshold`: with this analysis the organization has used 80 or 100 % of its quota of the day.
 */
export interface DomainEvent {
  readonly kind: DomainEventKind;
  readonly tenant: Tenant;
  /** The job, or the analysis request that will not become one; of `report.…` events the report, of `image.…` events and `photo.shared` the image, of `wound.…` events the wound; of `quota.threshold` the organization, of `patient.known` the patient, of `held.settled` the item. */
  readonly subjectId: string;
}

/** An event on its way to a handler. `id` is the same on every repeat. */
export interface DeliveredEvent extends DomainEvent {
  readonly id: string;
}
