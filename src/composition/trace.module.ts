import { Module } from '@nestjs/common';
import { ClinicalClock } from '../core/ports/clinical-clock.js';
import { TraceRecords } from '../core/trace/trace-records.js';
import { PhotoTracer } from '../core/trace/photo-tracer.js';
import { DeliveryTraces } from '../exits/kit/index.js';
import { DOOR_ADVICE } from './door-advice.js';
import { FhirTablesModule } from '../doors/fhir/fhir-tables.module.js';
import { ResourceTraces } from '../doors/fhir/records/resource-traces.js';
import { Hl7TraceModule } from './hl7v2.module.js';
import { MessageTraces } from '../doors/admin/hl7v2/trace/message-traces.js';
import { SystemStatements } from '../platform/database/statements.js';

/** The exits over HTTP. */
const WEBHOOKS = {
  exit: 'webhook',
  deliveries: 'webhook_deliveries',
  endpoints: 'webhooks',
  endpointId: 'webhook_id',
};
const SUBSCRIPTIONS = {
  exit: 'subscription',
  deliveries: 'fhir_subscription_deliveries',
  endpoints: 'fhir_subscriptions',
  endpointId: 'subscription_id',
};
/** Its columns under the names of those. */
const EHRS = {
  exit: 'ehr',
  deliveries: `(select ehr_deliveries.*, coalesce(held_for, answer_codes) as status_code from ehr_deliveries)`,
  endpoints: '(select id, push_paused as paused, deleted_at as disabled_at from ehrs)',
  endpointId: 'ehr_id',
};

/** Binds PhotoTracer to core's records and to the store of each door that keeps its own. */
@Module({
  imports: [FhirTablesModule, Hl7TraceModule],
  providers: [
    {
      provide: PhotoTracer,
      inject: [TraceRecords, ResourceTraces, MessageTraces, SystemStatements, ClinicalClock],
      useFactory: (
        records: TraceRecords,
        resources: ResourceTraces,
        messages: MessageTraces,
        statements: SystemStatements,
        clock: ClinicalClock,
      ) => {
        const exits = [WEBHOOKS, SUBSCRIPTIONS, EHRS].map((tables) => new DeliveryTraces(statements, tables));
        return new PhotoTracer(records, [resources, messages, ...exits], clock, DOOR_ADVICE);
      },
    },
  ],
  exports: [PhotoTracer],
})
export class TraceModule {}
