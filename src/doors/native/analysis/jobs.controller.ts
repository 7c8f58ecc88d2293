import { Controller, Get, Param, Post } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import { IdempotencyKeyHeader } from '../idempotency/idempotency-key.decorator.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { ArtifactReadingService } from './artifact-reading.service.js';
import { JobCreationService } from './job-creation.service.js';
import { jobQuerySchema, type JobQuery } from './job-query.schema.js';
import { JobReadingService } from './job-reading.service.js';
import { jobRequestSchema, type JobRequestBody } from './job-request.schema.js';
import { CREATE_JOB, LIST_JOBS, READ_ARTIFACT, READ_JOB } from './jobs.routes.js';
import { Conditions, type ReadConditions } from '../route/read-conditions.js';

@Controller('api/v1/analysis/jobs')
export class JobsController {
  constructor(
    private readonly creation: JobCreationService,
    private readonly reading: JobReadingService,
    private readonly artifacts: ArtifactReadingService,
  ) {}

  @Post()
  @ApiRoute(CREATE_JOB)
  @RequiresScope('analysis:write')
  create(
    @CurrentCaller() caller: Caller,
    @JsonBody(jobRequestSchema) body: JobRequestBody,
    @IdempotencyKeyHeader() key: string | null,
  ): Promise<HttpAnswer> {
    return this.creation.create(caller, body, key);
  }

  @Get()
  @ApiRoute(LIST_JOBS)
  @RequiresScope('analysis:read')
  list(@CurrentCaller() caller: Caller, @QueryInput(jobQuerySchema) query: JobQuery): Promise<HttpAnswer> {
    return this.reading.list(caller, query);
  }

  @Get(':id')
  @ApiRoute(READ_JOB)
  @RequiresScope('analysis:read')
  read(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Conditions() conditions: ReadConditions,
  ): Promise<HttpAnswer> {
    return this.reading.read(caller, id, conditions);
  }

  @Get(':id/artifacts/:name')
  @ApiRoute(READ_ARTIFACT)
  @RequiresScope('analysis:read')
  artifact(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('name') name: string,
    @Conditions() { ifNoneMatch }: ReadConditions,
  ): Promise<HttpAnswer> {
    return this.artifacts.read(caller, id, name, ifNoneMatch);
  }
}
