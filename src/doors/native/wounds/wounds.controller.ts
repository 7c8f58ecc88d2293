import { Controller, Get, Param, Post } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import { Conditions, type ReadConditions } from '../route/read-conditions.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { CourseReadingService } from '../reports/course-reading.service.js';
import { EvidenceReadingService } from '../reports/evidence-reading.service.js';
import { RequestedRepresentation, type Representation } from '../reports/representation.js';
import {
  courseQuerySchema,
  evidenceQuerySchema,
  periodQuerySchema,
  type CourseQuery,
  type EvidenceQuery,
  type PeriodQuery,
} from '../reports/report-query.schema.js';
import { READ_EVIDENCE } from './evidence.routes.js';
import {
  woundClosingBody,
  woundReopeningBody,
  woundDecisionBody,
  woundMergeSchema,
  woundQuerySchema,
  type WoundClosingBody,
  type WoundReopeningBody,
  type WoundDecisionBody,
  type WoundMergeBody,
  type WoundQuery,
} from './wound.schema.js';
import {
  CLOSE_WOUND,
  LIST_WOUNDS,
  MERGE_WOUND,
  READ_COURSE,
  READ_TIMELINE,
  READ_WOUND,
  REOPEN_WOUND,
  UNMERGE_WOUND,
} from './wounds.routes.js';
import { toPeriod, WoundsService } from './wounds.service.js';

@Controller('api/v1/wounds')
export class WoundsController {
  constructor(
    private readonly wounds: WoundsService,
    private readonly courses: CourseReadingService,
    private readonly evidence: EvidenceReadingService,
  ) {}

  @Get()
  @ApiRoute(LIST_WOUNDS)
  @RequiresScope('analysis:read')
  list(@CurrentCaller() caller: Caller, @QueryInput(woundQuerySchema) query: WoundQuery): Promise<HttpAnswer> {
    return this.wounds.list(caller, query);
  }

  @Get(':id')
  @ApiRoute(READ_WOUND)
  @RequiresScope('analysis:read')
  read(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Conditions() { ifNoneMatch }: ReadConditions,
  ): Promise<HttpAnswer> {
    return this.wounds.read(caller, id, ifNoneMatch);
  }

  @Get(':id/timeline')
  @ApiRoute(READ_TIMELINE)
  @RequiresScope('analysis:read')
  timeline(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput(periodQuerySchema) query: PeriodQuery,
    @Conditions() { ifNoneMatch }: ReadConditions,
  ): Promise<HttpAnswer> {
    return this.wounds.timeline(caller, id, query, ifNoneMatch);
  }

  @Get(':id/report')
  @ApiRoute(READ_COURSE)
  @RequiresScope('analysis:read')
  course(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput(courseQuerySchema) query: CourseQuery,
    @RequestedRepresentation() representation: Representation,
  ): Promise<HttpAnswer> {
    return this.courses.read(caller, id, toPeriod(query), representation);
  }

  @Get(':id/evidence')
  @ApiRoute(READ_EVIDENCE)
  @RequiresScope('analysis:read')
  evidenceOf(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput(evidenceQuerySchema) query: EvidenceQuery,
    @RequestedRepresentation() representation: Representation,
  ): Promise<HttpAnswer> {
    return this.evidence.read(caller, id, toPeriod(query), representation);
  }

  @Post(':id/merge')
  @ApiRoute(MERGE_WOUND)
  @RequiresScope('analysis:review')
  merge(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(woundMergeSchema) body: WoundMergeBody,
  ): Promise<HttpAnswer> {
    return this.wounds.merge(caller, id, body);
  }

  @Post(':id/unmerge')
  @ApiRoute(UNMERGE_WOUND)
  @RequiresScope('analysis:review')
  unmerge(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(woundDecisionBody) body: WoundDecisionBody,
  ): Promise<HttpAnswer> {
    return this.wounds.unmerge(caller, id, body);
  }

  @Post(':id/close')
  @ApiRoute(CLOSE_WOUND)
  @RequiresScope('analysis:review')
  close(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(woundClosingBody) body: WoundClosingBody,
  ): Promise<HttpAnswer> {
    return this.wounds.close(caller, id, body);
  }

  @Post(':id/reopen')
  @ApiRoute(REOPEN_WOUND)
  @RequiresScope('analysis:review')
  reopen(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(woundReopeningBody) body: WoundReopeningBody,
  ): Promise<HttpAnswer> {
    return this.wounds.reopen(caller, id, body);
  }
}
