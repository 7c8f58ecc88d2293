import { Controller, Get } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { EventLog } from '../../../core/deliveries/event-log.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { QueryInput } from '../../../platform/http/zod.pipe.js';
import { listingOf } from '../audit/native-access.js';
import { pageSizeOf } from '../paging/page.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { LIST_EVENTS } from './events.routes.js';
import { eventQuerySchema, fromEventCursor, toEventCursor, toEventView, type EventQuery } from './events.schema.js';

/** What happened in the organization and environment of the key. */
@Controller('api/v1/events')
export class EventsController {
  constructor(
    private readonly log: EventLog,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  @ApiRoute(LIST_EVENTS)
  @RequiresScope('analysis:read')
  async list(@CurrentCaller() caller: Caller, @QueryInput(eventQuerySchema) query: EventQuery): Promise<HttpAnswer> {
    const { type = null, since, cursor } = query;
    const { events, hasMore, keptSince, patientIds } = await this.log.read(caller, {
      type,
      since: since === undefined ? null : new Date(since),
      after: cursor === undefined ? null : fromEventCursor(cursor),
      limit: pageSizeOf(query),
    });
    await this.audit.recordNow(caller, listingOf('Communication', patientIds, query));
    const last = events.at(-1);
    return jsonAnswer(200, {
      items: events.map(toEventView),
      nextCursor: hasMore && last !== undefined ? toEventCursor(last.number) : null,
      keptSince: keptSince.toISOString(),
    });
  }
}
