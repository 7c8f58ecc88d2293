import { Controller, Get, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { sendAnswer } from '../../../platform/http/http-answer.js';
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
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(jobRequestSchema) body: JobRequestBody,
    @IdempotencyKeyHeader() key: string | null,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.creation.create(caller, body, key));
  }

  @Get()
  @ApiRoute(LIST_JOBS)
  @RequiresScope('analysis:read')
  async list(
    @CurrentCaller() caller: Caller,
    @QueryInput(jobQuerySchema) query: JobQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.reading.list(caller, query));
  }

  @Get(':id')
  @ApiRoute(READ_JOB)
  @RequiresScope('analysis:read')
  async read(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Conditions() conditions: ReadConditions,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.reading.read(caller, id, conditions));
  }

  @Get(':id/artifacts/:name')
  @ApiRoute(READ_ARTIFACT)
  @RequiresScope('analysis:read')
  async artifact(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('name') name: string,
    @Conditions() { ifNoneMatch }: ReadConditions,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendAnswer(reply, await this.artifacts.read(caller, id, name, ifNoneMatch));
  }
}
