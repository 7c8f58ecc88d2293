import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ClinicalEvent } from '../../../core/followup/clinical-event.js';
import type { Reviewer, Wound } from '../../../core/followup/wound.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ClinicalEventService } from '../../../core/wounds/clinical-event.service.js';
import { WoundService, type WoundDecisionBy } from '../../../core/wounds/wound.service.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { accessTo } from '../audit/native-access.js';
import type { DeskAccess } from './desk-sessions.js';
import { DeskSteps, type ShownReport } from './desk-steps.service.js';
import type { DeskEventBody, DeskStandingBody, DeskWithdrawalBody } from './desk-wound.schema.js';

/** What a person at the desk states of the wound itself: what was done to it, that it is closed or open again. As the doors of its own, and bound to the version on the screen. */
@Injectable()
export class DeskWoundService {
  constructor(
    private readonly steps: DeskSteps,
    private readonly events: ClinicalEventService,
    private readonly wounds: WoundService,
    private readonly clock: ClinicalClock,
    private readonly audit: AuditTrail,
  ) {}

  /** `report.stale`, `capture.future`, `request.invalid`, `wound.events_full`, `idempotency.mismatch`. */
  record(access: DeskAccess, shown: ShownReport, body: DeskEventBody): Promise<HttpAnswer> {
    const { link, caller } = access;
    return this.steps.once(access, shown, { path: 'events', body }, 201, async (transaction, { current }) => {
      const id = eventIdOf(transaction, body.requestId);
      const occurredAt = body.occurredAt === undefined ? null : new Date(body.occurredAt);
      const stated = { id, type: body.type, note: noteOf(body), by: signedBy(link, body.reviewer) };
      // What told a repeat by its answer is kept for hours; the event itself, for good.
      if (await this.events.isKnown(transaction, id))
        return this.requireSame(transaction, current.woundId, { ...stated, occurredAt });
      const { wound, event } = await this.events.record(transaction, current.woundId, {
        ...stated,
        occurredAt: occurredAt ?? (await this.clock.now(transaction)),
        enteredBy: caller.person,
      });
      await this.tell(transaction, caller, wound, `recorded ${event.type}`);
    });
  }

  /** `report.stale`, `wound.event_not_found`, `idempotency.mismatch`. */
  withdraw(access: DeskAccess, shown: ShownReport, eventId: string, body: DeskWithdrawalBody): Promise<HttpAnswer> {
    const { link, caller } = access;
    const path = `events/${eventId}/withdrawal`;
    return this.steps.once(access, shown, { path, body }, 200, async (transaction, { current }) => {
      const said = { note: noteOf(body), by: signedBy(link, body.reviewer), enteredBy: caller.person };
      const { wound, event } = await this.events.withdraw(transaction, current.woundId, eventId, said);
      await this.tell(transaction, caller, wound, `withdrew ${event.type}`);
    });
  }

  /** `report.stale` also where the wound was closed or reopened meanwhile; `capture.future`, `request.invalid`, `idempotency.mismatch`. */
  setStanding(access: DeskAccess, shown: ShownReport, body: DeskStandingBody): Promise<HttpAnswer> {
    const { link, caller } = access;
    return this.steps.once(access, shown, { path: 'standing', body }, 200, async (transaction, { root, current }) => {
      if (root.status !== body.shown) throw new SuturaError('report.stale', { detail: OTHER_STANDING });
      const by: WoundDecisionBy = {
        reviewer: signedBy(link, body.reviewer),
        note: noteOf(body),
        enteredBy: caller.person,
        decidedAt: momentOf(body, await this.clock.now(transaction), new Date(current.report.content.capturedAt)),
        ...(body.reason === undefined ? {} : { reason: body.reason }),
      };
      const { wound, events } =
        body.status === 'closed'
          ? await this.wounds.close(transaction, root.id, by)
          : await this.wounds.reopen(transaction, root.id, by);
      await this.tell(transaction, caller, wound, events.at(-1)?.decision);
    });
  }

  /** `idempotency.mismatch` where the event of this request is another by now, or was taken back. */
  private async requireSame(
    transaction: TenantTransaction,
    woundId: string,
    stated: Pick<ClinicalEvent, 'id' | 'type' | 'note'> & { readonly occurredAt: Date | null },
  ): Promise<void> {
    const { events } = await this.events.list(transaction, woundId);
    const known = events.find(({ id }) => id === stated.id);
    if (known?.withdrawal !== null || known.type !== stated.type || known.note !== stated.note)
      throw new SuturaError('idempotency.mismatch');
    if (stated.occurredAt !== null && +stated.occurredAt !== +known.occurredAt)
      throw new SuturaError('idempotency.mismatch');
  }

  private async tell(
    transaction: TenantTransaction,
    caller: DeskAccess['caller'],
    { id, patientId }: Pick<Wound, 'id' | 'patientId'>,
    what: string | undefined,
  ): Promise<void> {
    const told = accessTo('U', `BodyStructure/${id}`, { patients: [patientId] }, what);
    await this.audit.record(transaction, caller, told);
  }
}

const OTHER_STANDING = 'The wound was closed or opened again meanwhile. Look at how it stands now, and decide then.';

const BEFORE_PHOTO =
  'lies before the photo on the screen, which would show the wound open again; close it beside an earlier photo, or later';

/**
 * A closing of before the photo that its person looks at would make that photo one that shows the wound open again. Without a moment it is now: a
 * photo whose clock is ahead is not after it.
 */
function momentOf({ status, decidedAt }: DeskStandingBody, now: Date, shownAt: Date): Date {
  const moment = decidedAt === undefined ? now : new Date(decidedAt);
  if (status === 'open' || moment >= shownAt) return moment;
  if (decidedAt === undefined) return shownAt;
  throw new SuturaError('request.invalid', { errors: [{ pointer: '/decidedAt', detail: BEFORE_PHOTO }] });
}

/** The id of a page's own choice, within one organization and environment: the page of another never meets it. */
function eventIdOf({ tenant }: TenantTransaction, requestId: string): string {
  const text = `${tenant.organizationId} ${tenant.environment} ${requestId.toLowerCase()}`;
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  // A UUID of version 8: of the application's own making.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

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
