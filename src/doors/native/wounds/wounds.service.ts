import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { WoundService, type WoundDecisionBy, type WoundDetails } from '../../../core/wounds/wound.service.js';
import { ReportReader, type CapturePeriod } from '../../../core/report/report-reader.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { accessTo, listingOf } from '../audit/native-access.js';
import { readLookUp } from '../paging/page.js';
import { metadataOf } from '../route/metadata-pairs.js';
import type { PeriodQuery } from '../reports/report-query.schema.js';
import type {
  WoundClosingBody,
  WoundDecisionBody,
  WoundMergeBody,
  WoundQuery,
  WoundReopeningBody,
} from './wound.schema.js';
import { toListedWoundView, toTimelineView, toWoundDetailsView } from './wound-view.mapper.js';

/** Wounds, their timelines and what people decide about them, as HTTP answers. */
@Injectable()
export class WoundsService {
  constructor(
    private readonly wounds: WoundService,
    private readonly reader: ReportReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
  ) {}

  async list(caller: Caller, query: WoundQuery): Promise<HttpAnswer> {
    const { patientId, woundId, status } = query;
    const filter = {
      patientId,
      woundId,
      status,
      linked: isTrue(query.linked),
      attention: isTrue(query.attention),
      metadata: metadataOf(query),
    };
    const { items, nextCursor } = await readLookUp(query, (limit, after) =>
      this.wounds.list(caller, filter, limit, after),
    );
    await this.audit.recordNow(
      caller,
      listingOf(
        'BodyStructure',
        items.map((wound) => wound.patientId),
        query,
      ),
    );
    return jsonAnswer(200, { items: items.map((wound) => toListedWoundView(wound, this.address.url)), nextCursor });
  }

  async read(caller: Caller, woundId: string, ifNoneMatch: string | undefined): Promise<HttpAnswer> {
    const details = await this.wounds.get(caller, woundId);
    await this.audit.recordNow(
      caller,
      accessTo('R', `BodyStructure/${woundId}`, { patients: [details.wound.patientId] }),
    );
    return conditional(this.answer(details), ifNoneMatch);
  }

  async timeline(
    caller: Caller,
    woundId: string,
    query: PeriodQuery,
    ifNoneMatch: string | undefined,
  ): Promise<HttpAnswer> {
    const timeline = await this.reader.timeline(caller, woundId, toPeriod(query));
    await this.audit.recordNow(
      caller,
      accessTo('R', `BodyStructure/${woundId}`, { patients: [timeline.wound.patientId] }, 'timeline'),
    );
    return conditional(jsonAnswer(200, toTimelineView(timeline, this.address.url)), ifNoneMatch);
  }

  merge(caller: Caller, woundId: string, { into, ...by }: WoundMergeBody): Promise<HttpAnswer> {
    return this.decide(caller, (transaction) =>
      this.wounds.merge(transaction, woundId, into, toDecisionBy(caller, by)),
    );
  }

  unmerge(caller: Caller, woundId: string, by: WoundDecisionBody): Promise<HttpAnswer> {
    return this.decide(caller, (transaction) => this.wounds.unmerge(transaction, woundId, toDecisionBy(caller, by)));
  }

  close(caller: Caller, woundId: string, by: WoundClosingBody): Promise<HttpAnswer> {
    return this.decide(caller, (transaction) => this.wounds.close(transaction, woundId, toClosingBy(caller, by)));
  }

  reopen(caller: Caller, woundId: string, by: WoundReopeningBody): Promise<HttpAnswer> {
    return this.decide(caller, (transaction) => this.wounds.reopen(transaction, woundId, toReopeningBy(caller, by)));
  }

  private async decide(
    caller: Caller,
    decision: (transaction: TenantTransaction) => Promise<WoundDetails>,
  ): Promise<HttpAnswer> {
    const details = await this.unitOfWork.inTenant(caller, async (transaction) => {
      const decided = await decision(transaction);
      const { id, patientId } = decided.wound;
      await this.audit.record(
        transaction,
        caller,
        accessTo('U', `BodyStructure/${id}`, { patients: [patientId] }, decided.events.at(-1)?.decision),
      );
      return decided;
    });
    return this.answer(details);
  }

  private answer(details: WoundDetails): HttpAnswer {
    return jsonAnswer(200, toWoundDetailsView(details, this.address.url));
  }
}

/** The photos that a query asks for. */
export function toPeriod({ from, to }: PeriodQuery): CapturePeriod {
  return { from: from === undefined ? null : new Date(from), to: to === undefined ? null : new Date(to) };
}

function isTrue(text: 'true' | 'false' | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true';
}

function toDecisionBy({ person }: Caller, body: WoundDecisionBody): WoundDecisionBy {
  return { reviewer: body.reviewer ?? null, note: body.note ?? null, enteredBy: person };
}

function toClosingBy(caller: Caller, { closedAt, reason, ...by }: WoundClosingBody): WoundDecisionBy {
  const closing = toReopeningBy(caller, { ...by, decidedAt: closedAt ?? by.decidedAt });
  return reason === undefined ? closing : { ...closing, reason };
}

function toReopeningBy(caller: Caller, body: WoundReopeningBody): WoundDecisionBy {
  return { ...toDecisionBy(caller, body), decidedAt: body.decidedAt === undefined ? null : new Date(body.decidedAt) };
}
