import { Controller, Get } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { preferredWaitS } from '../../../platform/http/preferred-wait.js';
import { QueryInput } from '../../../platform/http/zod.pipe.js';
import { listingOf } from '../audit/native-access.js';
import { pageSizeOf } from '../paging/page.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { Conditions, type ReadConditions } from '../route/read-conditions.js';
import { EventWaiter } from './event-waiter.js';
import { LIST_EVENTS } from './events.routes.js';
import { eventQuerySchema, fromEventCursor, toEventList, type EventQuery } from './events.schema.js';

/** What happened in the organization and environment of the key. */
@Controller('api/v1/events')
export class EventsController {
  constructor(
    private readonly waiter: EventWaiter,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  @ApiRoute(LIST_EVENTS)
  @RequiresScope('analysis:read')
  async list(
    @CurrentCaller() caller: Caller,
    @QueryInput(eventQuerySchema) query: EventQuery,
    @Conditions() { prefer, gone }: ReadConditions,
  ): Promise<HttpAnswer> {
    const { type = null, since, cursor } = query;
    const asked = {
      type,
      since: since === undefined ? null : new Date(since),
      after: cursor === undefined ? null : fromEventCursor(cursor),
      limit: pageSizeOf(query),
    };
    const waitS = this.waiter.hasRoom(caller) ? preferredWaitS(prefer) : null;
    const page = await this.waiter.read(caller, asked, (waitS ?? 0) * 1000, gone);
    await this.audit.recordNow(caller, listingOf('Communication', page.patientIds, query));
    return jsonAnswer(200, toEventList(page), waitS === null ? {} : { 'preference-applied': `wait=${waitS}` });
  }
}
