import { Module } from '@nestjs/common';
import { Clock } from '../core/ports/clock.js';
import { TraceRecords } from '../core/trace/trace-records.js';
import { PhotoTracer } from '../core/trace/photo-tracer.js';
import { DOOR_ADVICE } from './door-advice.js';
import { FhirTraceModule } from '../fhir/fhir-trace.module.js';
import { ResourceTraces } from '../fhir/records/resource-traces.js';
import { Hl7TraceModule } from '../hl7v2/hl7v2.module.js';
import { MessageTraces } from '../hl7v2/operator/trace/message-traces.js';

/** Binds PhotoTracer to core's records and to the store of each door that keeps its own. */
@Module({
  imports: [FhirTraceModule, Hl7TraceModule],
  providers: [
    {
      provide: PhotoTracer,
      inject: [TraceRecords, ResourceTraces, MessageTraces, Clock],
      useFactory: (records: TraceRecords, resources: ResourceTraces, messages: MessageTraces, clock: Clock) =>
        new PhotoTracer(records, [resources, messages], clock, DOOR_ADVICE),
    },
  ],
  exports: [PhotoTracer],
})
export class TraceModule {}
