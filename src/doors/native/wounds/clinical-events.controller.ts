import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { ClinicalEventService } from '../../../core/wounds/clinical-event.service.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { accessTo } from '../audit/native-access.js';
import { IdempotencyKeyHeader } from '../idempotency/idempotency-key.decorator.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { wholeList } from '../paging/page.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { woundPath } from '../route/paths.js';
import {
  clinicalEventRequestSchema,
  eventWithdrawalBody,
  toClinicalEventView,
  type ClinicalEventBody,
  type EventWithdrawalBody,
} from './clinical-event.schema.js';
import { LIST_EVENTS, RECORD_EVENT, WITHDRAW_EVENT } from './clinical-events.routes.js';

/** What was done to a wound between its photos. */
@Controller('api/v1/wounds/:id/events')
export class ClinicalEventsController {
  constructor(
    private readonly events: ClinicalEventService,
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: IdempotentRequests,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  @ApiRoute(LIST_EVENTS)
  @RequiresScope('analysis:read')
  async list(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<HttpAnswer> {
    const { wound, events } = await this.unitOfWork.inTenant(caller, (transaction) =>
      this.events.list(transaction, id),
    );
    await this.audit.recordNow(
      caller,
      accessTo('R', `BodyStructure/${id}`, { patients: [wound.patientId] }, 'clinical-events'),
    );
    return jsonAnswer(200, wholeList(events.map(toClinicalEventView)));
  }

  @Post()
  @ApiRoute(RECORD_EVENT)
  @RequiresScope('analysis:review')
  record(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(clinicalEventRequestSchema) body: ClinicalEventBody,
    @IdempotencyKeyHeader() key: string | null,
  ): Promise<HttpAnswer> {
    const route = `POST ${woundPath(id)}/events`;
    return this.requests.run(caller, { route, key, body }, async (transaction) => {
      const stated = {
        type: body.type,
        occurredAt: new Date(body.occurredAt),
        note: body.note ?? null,
        by: body.by ?? null,
        enteredBy: caller.person,
      };
      const { event, wound } = await this.events.record(transaction, id, stated);
      const told = accessTo('U', `BodyStructure/${id}`, { patients: [wound.patientId] }, `recorded ${event.type}`);
      await this.audit.record(transaction, caller, told);
      return jsonAnswer(201, toClinicalEventView(event));
    });
  }

  @Delete(':eventId')
  @ApiRoute(WITHDRAW_EVENT)
  @RequiresScope('analysis:review')
  withdraw(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('eventId') eventId: string,
    @JsonBody(eventWithdrawalBody) body: EventWithdrawalBody,
  ): Promise<HttpAnswer> {
    return this.unitOfWork.inTenant(caller, async (transaction) => {
      const said = { note: body.note ?? null, by: body.by ?? null, enteredBy: caller.person };
      const { event, wound } = await this.events.withdraw(transaction, id, eventId, said);
      const told = accessTo('U', `BodyStructure/${id}`, { patients: [wound.patientId] }, `withdrew ${event.type}`);
      await this.audit.record(transaction, caller, told);
      return jsonAnswer(200, toClinicalEventView(event));
    });
  }
}
