import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { WoundEvent } from '../../../core/followup/wound.js';
import { closingsOf } from '../../../core/followup/wound-closure.js';
import { stageSystemsOf } from '../../../core/followup/stage-systems.js';
import { lastStatedBefore } from '../../../core/report/last-stated.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import { WoundService } from '../../../core/wounds/wound.service.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { chooseLanguage, clinicalWords } from '../../../reports/index.js';
import { accessTo } from '../audit/native-access.js';
import type { DeskFormView } from './desk.views.js';
import type { DeskAccess } from './desk-sessions.js';

const ALL = { from: null, to: null };

/** What the form of the desk begins with: what was stated last time, what can be chosen, how the wound stands. */
@Injectable()
export class DeskFormService {
  constructor(
    private readonly reader: ReportReader,
    private readonly wounds: WoundService,
    private readonly audit: AuditTrail,
  ) {}

  async form({ caller }: DeskAccess, reportId: string, language: unknown): Promise<HttpAnswer> {
    const { report } = await this.reader.read(caller, reportId);
    const { subject, comparison, capturedAt } = report.content;
    const { reports } = await this.reader.course(caller, subject.woundRef, ALL);
    const { wound, events, clinicalEvents } = await this.wounds.get(caller, subject.woundRef);
    await this.audit.recordNow(
      caller,
      accessTo('R', `DiagnosticReport/${reportId}`, { wound: subject.woundRef }, 'review form'),
    );
    // A query that is stated twice is a list.
    const wished = typeof language === 'string' ? language : undefined;
    const newest = reports.at(-1);
    return jsonAnswer(200, {
      version: report.version,
      lastTime: lastStatedBefore(report, reports),
      words: clinicalWords(chooseLanguage(wished, undefined) ?? 'en', stageSystemsOf(subject.woundType)),
      newerPhotoAt:
        newest === undefined || newest.content.capturedAt <= capturedAt || newest.id === comparison.supersededBy
          ? null
          : newest.content.capturedAt,
      wound: { status: wound.status, closing: wound.status === 'closed' ? closingOf(events) : null },
      events: clinicalEvents.map(({ id, type, occurredAt, note, by }) => ({
        id,
        type,
        occurredAt: occurredAt.toISOString(),
        note,
        by: by?.name ?? null,
      })),
    } satisfies DeskFormView);
  }
}

/** With the ends that relations brought, and without what was taken back. null: closed by an older release. */
function closingOf(events: readonly WoundEvent[]): DeskFormView['wound']['closing'] {
  const last = closingsOf(events).at(-1);
  if (last?.decision !== 'closed') return null;
  const { reason, decidedAt, reviewer, note } = last;
  return { reason: reason ?? 'other', decidedAt: decidedAt.toISOString(), by: reviewer?.name ?? null, note };
}
