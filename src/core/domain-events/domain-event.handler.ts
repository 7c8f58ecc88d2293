import type { DeliveredEvent, DomainEventKind, EventAudience } from './domain-event.js';

/** Names of all handlers of this release, whatever a process has of them. Events that are kept for others are none of its work. */
export const EVENT_HANDLERS: readonly string[] = [
  'arrived-image',
  'ehr-results',
  'fhir-patient-known',
  'fhir-photo',
  'fhir-projection',
  'fhir-settled',
  'fhir-subscriptions',
  'hl7-patient-known',
  'hl7-results',
  'hl7-settled',
  'inference.queue',
  'related-wounds',
  'report-assembly',
  'shared-photos',
  'webhooks',
];

/** Receives events at least once, in no promised order; must be idempotent by event id. An event whose handler throws comes again later, to this handler alone. */
export abstract class DomainEventHandler {
  /** Among EVENT_HANDLERS, unique, and the same in every release: events are kept under it until the handler has had them. */
  abstract readonly name: string;
  abstract readonly kinds: readonly DomainEventKind[];
  /** Its audience: events of tenants without that audience are not stored for this handler. null: it handles events of all tenants. */
  readonly audience: EventAudience | null = null;
  abstract handle(event: DeliveredEvent): Promise<void>;
}
