import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Transaction } from '../../core/ports/unit-of-work.js';
import { WoundService, type WoundDecisionBy, type WoundDetails } from '../../core/followup/wound.service.js';
import { ReportReader, type CapturePeriod } from '../../core/report/report-reading.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { Settings } from '../../platform/config/settings.js';
import { conditional } from '../../platform/http/entity-tag.js';
import { jsonAnswer, type HttpAnswer } from '../../platform/http/http-answer.js';
import { readPage } from '../paging/page.js';
import type { PeriodQuery } from '../reports/report-query.schema.js';
import type { WoundDecisionBody, WoundMergeBody, WoundQuery } from './wound.schema.js';
import { toTimelineView, toWoundDetailsView, toWoundView } from './wound-view.mapper.js';

/** Wounds, their timelines and what people decide about them, as HTTP answers. */
@Injectable()
export class WoundsService {
  constructor(
    private readonly wounds: WoundService,
    private readonly reader: ReportReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  async list(tenant: Tenant, query: WoundQuery): Promise<HttpAnswer> {
    const { patientId, woundId, status, linked } = query;
    const filter = { patientId, woundId, status, linked: linked === undefined ? undefined : linked === 'true' };
    const { items, nextCursor } = await readPage(query, (limit, after) => this.wounds.list(tenant, filter, limit, after));
    return jsonAnswer(200, { items: items.map((wound) => toWoundView(wound, this.settings.publicUrl)), nextCursor });
  }

  async read(tenant: Tenant, woundId: string, ifNoneMatch: string | undefined): Promise<HttpAnswer> {
    return conditional(this.answer(await this.wounds.get(tenant, woundId)), ifNoneMatch);
  }

  async timeline(tenant: Tenant, woundId: string, query: PeriodQuery, ifNoneMatch: string | undefined): Promise<HttpAnswer> {
    const timeline = await this.reader.timeline(tenant, woundId, toPeriod(query));
    return conditional(jsonAnswer(200, toTimelineView(timeline, this.settings.publicUrl)), ifNoneMatch);
  }

  merge(tenant: Tenant, woundId: string, { into, ...by }: WoundMergeBody): Promise<HttpAnswer> {
    return this.decide(tenant, (transaction) => this.wounds.merge(transaction, tenant, woundId, into, toDecisionBy(by)));
  }

  unmerge(tenant: Tenant, woundId: string, by: WoundDecisionBody): Promise<HttpAnswer> {
    return this.decide(tenant, (transaction) => this.wounds.unmerge(transaction, tenant, woundId, toDecisionBy(by)));
  }

  close(tenant: Tenant, woundId: string, by: WoundDecisionBody): Promise<HttpAnswer> {
    return this.decide(tenant, (transaction) => this.wounds.close(transaction, tenant, woundId, toDecisionBy(by)));
  }

  reopen(tenant: Tenant, woundId: string, by: WoundDecisionBody): Promise<HttpAnswer> {
    return this.decide(tenant, (transaction) => this.wounds.reopen(transaction, tenant, woundId, toDecisionBy(by)));
  }

  private async decide(tenant: Tenant, decision: (transaction: Transaction) => Promise<WoundDetails>): Promise<HttpAnswer> {
    return this.answer(await this.unitOfWork.inTenant(tenant, decision));
  }

  private answer(details: WoundDetails): HttpAnswer {
    return jsonAnswer(200, toWoundDetailsView(details, this.settings.publicUrl));
  }
}

/** The photos that a query asks for. */
export function toPeriod({ from, to }: PeriodQuery): CapturePeriod {
  return { from: from === undefined ? null : new Date(from), to: to === undefined ? null : new Date(to) };
}

function toDecisionBy(body: WoundDecisionBody): WoundDecisionBy {
  return { reviewer: body.reviewer ?? null, note: body.note ?? null };
}
