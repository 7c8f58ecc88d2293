import { Module } from '@nestjs/common';
import { ResourceTraces } from './records/resource-traces.js';
import { TracedResources } from './store/traced-resources.js';

/** What happened to a photo as far as the resources say it: the database alone, no definitions and no search. */
@Module({ providers: [TracedResources, ResourceTraces], exports: [ResourceTraces] })
export class FhirTraceModule {}
