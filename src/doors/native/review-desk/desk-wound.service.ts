import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Reviewer } from '../../../core/followup/wound.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportReviewing } from '../../../core/report/report-reviewing.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import { ClinicalEventService } from '../../../core/wounds/clinical-event.service.js';
import { WoundService, type WoundDecisionBy } from '../../../core/wounds/wound.service.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { accessTo } from '../audit/native-access.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { versionOfTag } from '../reports/report-tag.js';
import { reportPath } from '../route/paths.js';
import type { DeskAccess } from './desk-sessions.js';
import type { DeskEventBody, DeskStandingBody, DeskWithdrawalBody } from './desk-wound.schema.js';
import type { DecidedView } from './desk.views.js';

/** The report on the screen, and its entity tag there. */
export interface ShownReport {
  readonly reportId: string;
  readonly ifMatch: string | undefined;
}

/** What a person at the desk states of the wound itself: what was done to it, that it is closed or open again. As the doors of its own, and bound to the version on the screen. */
@Injectable()
export class DeskWoundService {
  constructor(
    private readonly reviewing: ReportReviewing,
    private readonly reader: ReportReader,
    private readonly events: ClinicalEventService,
    private readonly wounds: WoundService,
    private readonly requests: IdempotentRequests,
    private readonly audit: AuditTrail,
  ) {}

  /** `report.stale`, `capture.future`, `request.invalid`, `wound.events_full`. */
  record({ link, caller }: DeskAccess, { reportId, ifMatch }: ShownReport, body: DeskEventBody): Promise<HttpAnswer> {
    const version = versionOfTag(ifMatch);
    const route = `POST ${reportPath(reportId)}/events at the desk`;
    const by = signedBy(link, body.reviewer);
    return this.requests.run(caller, { route, key: body.requestId, body: { version, body } }, async (transaction) => {
      const { current } = await this.reviewing.requireShown(transaction, reportId, version);
      const { wound, event } = await this.events.record(transaction, current.woundId, {
        type: body.type,
        occurredAt: new Date(body.occurredAt),
        note: noteOf(body),
        by,
        enteredBy: caller.person,
      });
      const told = accessTo(
        'U',
        `BodyStructure/${wound.id}`,
        { patients: [wound.patientId] },
        `recorded ${event.type}`,
      );
      await this.audit.record(transaction, caller, told);
      return this.answer(transaction, reportId, 201);
    });
  }

  /** `report.stale`, `wound.event_not_found`. */
  withdraw(
    { link, caller }: DeskAccess,
    { reportId, ifMatch }: ShownReport,
    eventId: string,
    body: DeskWithdrawalBody,
  ): Promise<HttpAnswer> {
    const version = versionOfTag(ifMatch);
    const route = `POST ${reportPath(reportId)}/events/${eventId}/withdrawal at the desk`;
    return this.requests.run(caller, { route, key: null, body }, async (transaction) => {
      const { current } = await this.reviewing.requireShown(transaction, reportId, version);
      const said = { note: noteOf(body), by: signedBy(link, body.reviewer), enteredBy: caller.person };
      const { wound, event } = await this.events.withdraw(transaction, current.woundId, eventId, said);
      const told = accessTo(
        'U',
        `BodyStructure/${wound.id}`,
        { patients: [wound.patientId] },
        `withdrew ${event.type}`,
      );
      await this.audit.record(transaction, caller, told);
      return this.answer(transaction, reportId, 200);
    });
  }

  /** `report.stale` also where the wound was closed or reopened meanwhile; `capture.future`, `request.invalid`. */
  setStanding(
    { link, caller }: DeskAccess,
    { reportId, ifMatch }: ShownReport,
    body: DeskStandingBody,
  ): Promise<HttpAnswer> {
    const version = versionOfTag(ifMatch);
    const route = `POST ${reportPath(reportId)}/standing at the desk`;
    return this.requests.run(caller, { route, key: null, body }, async (transaction) => {
      const { root } = await this.reviewing.requireShown(transaction, reportId, version);
      if (root.status !== body.shown) throw new SuturaError('report.stale', { detail: OTHER_STANDING });
      const by: WoundDecisionBy = {
        reviewer: signedBy(link, body.reviewer),
        note: noteOf(body),
        enteredBy: caller.person,
        decidedAt: new Date(body.decidedAt),
        ...(body.reason === undefined ? {} : { reason: body.reason }),
      };
      const { wound, events } =
        body.status === 'closed'
          ? await this.wounds.close(transaction, root.id, by)
          : await this.wounds.reopen(transaction, root.id, by);
      const told = accessTo('U', `BodyStructure/${wound.id}`, { patients: [wound.patientId] }, events.at(-1)?.decision);
      await this.audit.record(transaction, caller, told);
      return this.answer(transaction, reportId, 200);
    });
  }

  /** The version that stands now: what was recorded may have changed what the report compares. */
  private async answer(transaction: TenantTransaction, reportId: string, status: number): Promise<HttpAnswer> {
    const reading = await this.reader.readIn(transaction, reportId);
    if (reading === null) throw new SuturaError('report.not_found');
    return jsonAnswer(status, { version: reading.report.version } satisfies DecidedView);
  }
}

const OTHER_STANDING = 'The wound was closed or opened again meanwhile. Look at how it stands now, and decide then.';

/** Who is known to sit at the desk signs as that, whatever the page says. */
export function signedBy(
  { person, personSystem, personName }: Pick<DeskAccess['link'], 'person' | 'personSystem' | 'personName'>,
  typed: Reviewer,
): Reviewer {
  if (person === null) return typed;
  return { id: person, name: personName ?? typed.name, ...(personSystem === null ? {} : { system: personSystem }) };
}

function noteOf({ note = '' }: { readonly note?: string | undefined }): string | null {
  return note.trim() === '' ? null : note;
}
