import { Controller, Get, Param, Post } from '@nestjs/common';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import { Conditions, type ReadConditions } from '../route/read-conditions.js';
import { IdempotencyKeyHeader } from '../idempotency/idempotency-key.decorator.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { reportQuerySchema } from './report-query.schema.js';
import { LIST_REPORTS } from './report-list.routes.js';
import { reportListQuerySchema, type ReportListQuery } from './report-list.schema.js';
import { ReportListService } from './report-list.service.js';
import { ReportReadingService } from './report-reading.service.js';
import { ReportReviewService } from './report-review.service.js';
import { reviewRequestSchema, type ReviewRequestBody } from './report.schema.js';
import { LIST_VERSIONS, READ_REPORT, READ_VERSION, REVIEW_REPORT } from './reports.routes.js';
import { IfMatch, RequestedRepresentation, type Representation } from './representation.js';

@Controller('api/v1/reports')
export class ReportsController {
  constructor(
    private readonly reading: ReportReadingService,
    private readonly reviewing: ReportReviewService,
    private readonly lists: ReportListService,
  ) {}

  @Get()
  @ApiRoute(LIST_REPORTS)
  @RequiresScope('analysis:read')
  list(
    @CurrentCaller() caller: Caller,
    @QueryInput(reportListQuerySchema) query: ReportListQuery,
  ): Promise<HttpAnswer> {
    return this.lists.list(caller, query);
  }

  @Get(':id')
  @ApiRoute(READ_REPORT)
  @RequiresScope('analysis:read')
  read(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput(reportQuerySchema) _query: unknown,
    @RequestedRepresentation() representation: Representation,
    @Conditions() { ifNoneMatch }: ReadConditions,
  ): Promise<HttpAnswer> {
    return this.reading.read(caller, id, representation, ifNoneMatch);
  }

  @Get(':id/versions')
  @ApiRoute(LIST_VERSIONS)
  @RequiresScope('analysis:read')
  versions(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<HttpAnswer> {
    return this.reading.versions(caller, id);
  }

  @Get(':id/versions/:version')
  @ApiRoute(READ_VERSION)
  @RequiresScope('analysis:read')
  version(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('version') version: string,
    @QueryInput(reportQuerySchema) _query: unknown,
    @RequestedRepresentation() representation: Representation,
    @Conditions() { ifNoneMatch }: ReadConditions,
  ): Promise<HttpAnswer> {
    return this.reading.version(caller, id, version, representation, ifNoneMatch);
  }

  @Post(':id/reviews')
  @ApiRoute(REVIEW_REPORT)
  @RequiresScope('analysis:review')
  review(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IfMatch() ifMatch: string | undefined,
    @JsonBody(reviewRequestSchema) body: ReviewRequestBody,
    @IdempotencyKeyHeader() key: string | null,
  ): Promise<HttpAnswer> {
    return this.reviewing.review(caller, id, ifMatch, body, key);
  }
}
