import { Module } from '@nestjs/common';
import { ResourceTraces } from './records/resource-traces.js';
import { TracedResources } from '../../standards/fhir/store/traced-resources.js';

/** The history of a photo as far as resources tell it: the database alone, no definitions and no search. */
@Module({ providers: [TracedResources, ResourceTraces], exports: [ResourceTraces] })
export class FhirTraceModule {}
