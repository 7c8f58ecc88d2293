import { captureFault } from '../analysis/photo-fault.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { ClinicalEvent } from '../followup/clinical-event.js';
import type { ClinicalEventRepository } from '../followup/clinical-event.repository.js';
import type { Course } from '../followup/course.js';
import { closingsOf } from '../followup/wound-closure.js';
import { presentCourse } from '../followup/wound-course.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import type { WoundRelation } from '../followup/wound-relation.js';
import type { WoundRelationRepository } from '../followup/wound-relation.repository.js';
import type { LookUpCursor, LookUpPage } from '../analysis/look-up-page.js';
import type { PlacedWound, WoundFilter, WoundRepository } from '../followup/wound.repository.js';
import type { ReportRepository, WaitingReport } from '../report/report.repository.js';
import type { ReportSeries } from '../report/report-series.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { ClosureReason, Reviewer, Wound, WoundDecision, WoundEvent } from '../followup/wound.js';

export interface WoundServicePorts {
  readonly unitOfWork: UnitOfWork;
  readonly wounds: WoundRepository;
  readonly clinicalEvents: Pick<ClinicalEventRepository, 'ofSeries'>;
  readonly relations: Pick<WoundRelationRepository, 'ofWound'>;
  readonly reports: ReportRepository;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
  readonly ids: IdSource;
}

/** The author of a decision about a wound, as far as the caller says. */
export interface WoundDecisionBy {
  readonly reviewer: Reviewer | null;
  readonly note: string | null;
  /** The person behind the request; absent: not named. */
  readonly enteredBy?: string | undefined;
  /** Of closing and reopening: when it was decided; null: now. */
  readonly decidedAt?: Date | null;
  /** Of closing alone; absent: `other`. */
  readonly reason?: ClosureReason;
}

/** A wound in a list, with the reports of its series that wait for a person. */
export interface ListedWound extends Wound {
  readonly waiting: readonly WaitingReport[];
}

export interface WoundDetails {
  readonly wound: ListedWound;
  /** For an unlinked wound: those of the same patient that a person may find to be the same. */
  readonly candidates: readonly Wound[];
  /** People's decisions about it, oldest first. */
  readonly events: readonly WoundEvent[];
  /** What was done to it and to those that were merged into it, and stands; oldest first. */
  readonly clinicalEvents: readonly ClinicalEvent[];
  /** With what it grew together, or into what it fell apart; those that were taken back, too. Oldest first. */
  readonly relations: readonly WoundRelation[];
  /** As it stands now; null: not known, or part of another wound. */
  readonly course: Course | null;
}

const DAY_MS = 86_400_000;

/** Wounds and what people decide about them. The service itself never joins, closes or reopens one. */
export class WoundService {
  constructor(
    private readonly ports: WoundServicePorts,
    private readonly series: ReportSeries,
  ) {}

  /** Newest first. */
  list(
    tenant: Tenant,
    filter: WoundFilter,
    limit: number,
    after: LookUpCursor | null,
  ): Promise<LookUpPage<ListedWound & PlacedWound>> {
    return this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      const { items, lookedTo } = await this.ports.wounds.list(transaction, filter, limit, after);
      return { items: await this.withWaiting(transaction, items), lookedTo };
    });
  }

  /** `wound.not_found`. */
  get(tenant: Tenant, woundId: string): Promise<WoundDetails> {
    return this.ports.unitOfWork.inTenant(tenant, (transaction) => this.details(transaction, woundId));
  }

  /**
   * Joins a wound into another of the same patient: from now on their assessments are one series. Can be undone by `unmerge`; a repeat changes nothing.
   * `wound.not_found` for either, `wound.merge_refused`, `wound.two_at_once` where both have an area of one day.
   */
  async merge(
    transaction: TenantTransaction,
    woundId: string,
    intoId: string,
    by: WoundDecisionBy,
  ): Promise<WoundDetails> {
    await this.require(transaction, woundId);
    await this.require(transaction, intoId);
    const target = await this.ports.wounds.rootOf(transaction, intoId);
    // Always in the same order, so that two merges that cross do not wait for each other.
    for (const id of [woundId, target.id].sort()) await this.ports.wounds.lockRoot(transaction, id);
    const [wound, root] = [
      await this.require(transaction, woundId),
      await this.ports.wounds.rootOf(transaction, intoId),
    ];
    const own = await this.ports.wounds.rootOf(transaction, woundId);
    // A repeat of a request whose answer was lost.
    if (wound.mergedInto !== null && own.id === root.id) return this.details(transaction, woundId);
    if (wound.mergedInto !== null || root.id === woundId || root.patientId !== wound.patientId)
      throw new SuturaError('wound.merge_refused');
    if (await this.haveAreasOfOneDay(transaction, woundId, root.id)) throw new SuturaError('wound.two_at_once');
    await this.ports.wounds.update(transaction, woundId, { mergedInto: root.id });
    await this.record(transaction, woundId, 'merged', root.id, by);
    await this.series.settle(transaction, root);
    return this.details(transaction, woundId);
  }

  /** One wound has one area at a time. */
  private async haveAreasOfOneDay(transaction: TenantTransaction, woundId: string, otherId: string): Promise<boolean> {
    const [own, others] = [await this.areasOf(transaction, woundId), await this.areasOf(transaction, otherId)];
    return own.some((one) => others.some((other) => Math.abs(one - other) < DAY_MS));
  }

  private async areasOf(transaction: TenantTransaction, woundId: string): Promise<number[]> {
    const figures = await this.ports.reports.figures(transaction, woundId);
    return figures
      .filter(({ content }) => content.comparison.noTrendReason === null)
      .map(({ content }) => Date.parse(content.capturedAt));
  }

  /** Takes a merged wound out again, with all that had been merged into it. `wound.not_found`, `wound.not_merged`. */
  async unmerge(transaction: TenantTransaction, woundId: string, by: WoundDecisionBy): Promise<WoundDetails> {
    await this.require(transaction, woundId);
    const root = await this.ports.wounds.lockRoot(transaction, woundId);
    const wound = await this.require(transaction, woundId);
    if (wound.mergedInto === null) throw new SuturaError('wound.not_merged');
    await this.ports.wounds.update(transaction, woundId, { mergedInto: null });
    await this.record(transaction, woundId, 'unmerged', wound.mergedInto, by);
    await this.series.settle(transaction, await this.ports.wounds.lockRoot(transaction, woundId));
    await this.series.settle(transaction, root);
    return this.details(transaction, woundId);
  }

  /**
   * A person found the wound closed. Later photos are still filed under it and do not reopen it. `wound.not_found`; `wound.merged` for one that
   * is part of another; `capture.future` and `request.invalid` for a moment that is to come, or before the decision that it follows.
   */
  close(transaction: TenantTransaction, woundId: string, by: WoundDecisionBy): Promise<WoundDetails> {
    return this.setStatus(transaction, woundId, 'closed', by);
  }

  /** As `close`. */
  reopen(transaction: TenantTransaction, woundId: string, by: WoundDecisionBy): Promise<WoundDetails> {
    return this.setStatus(transaction, woundId, 'reopened', by);
  }

  private async setStatus(
    transaction: TenantTransaction,
    woundId: string,
    decision: 'closed' | 'reopened',
    by: WoundDecisionBy,
  ): Promise<WoundDetails> {
    await this.require(transaction, woundId);
    await this.ports.wounds.lockRoot(transaction, woundId);
    const status = decision === 'closed' ? 'closed' : 'open';
    const { status: before, mergedInto } = await this.require(transaction, woundId);
    // A closure of the part would stand in no series.
    if (mergedInto !== null) throw new SuturaError('wound.merged');
    if (before !== status) {
      const decidedAt = await this.momentOf(transaction, woundId, by);
      await this.ports.wounds.update(transaction, woundId, {
        status,
        closedAt: status === 'closed' ? decidedAt : null,
      });
      await this.record(transaction, woundId, decision, null, { ...by, decidedAt });
      await this.ports.outbox.append(transaction, { kind: `wound.${decision}`, subjectId: woundId });
      await this.series.settle(transaction, await this.require(transaction, woundId));
    }
    return this.details(transaction, woundId);
  }

  private async momentOf(
    transaction: TenantTransaction,
    woundId: string,
    { decidedAt = null }: WoundDecisionBy,
  ): Promise<Date> {
    const now = await this.ports.clinicalClock.now(transaction);
    if (decidedAt === null) return now;
    const fault = captureFault(decidedAt, now);
    if (fault !== null)
      throw new SuturaError(fault.code, { errors: [{ pointer: '/decidedAt', detail: 'lies in the time to come' }] });
    const events = await this.ports.wounds.history(transaction, woundId);
    const last = closingsOf(events).at(-1);
    if (last !== undefined && last.decidedAt > decidedAt)
      throw new SuturaError('request.invalid', {
        errors: [{ pointer: '/decidedAt', detail: 'lies before the decision that it follows; see events' }],
      });
    return decidedAt;
  }

  private async details(transaction: TenantTransaction, woundId: string): Promise<WoundDetails> {
    const wound = await this.require(transaction, woundId);
    const open = wound.woundId === null && wound.mergedInto === null;
    const candidates = open ? await this.ports.wounds.candidates(transaction, wound) : [];
    const [listed] = await this.withWaiting(transaction, [wound]);
    const events = await this.ports.wounds.history(transaction, woundId);
    const clinicalEvents = (await this.ports.clinicalEvents.ofSeries(transaction, wound.id)).filter(
      ({ withdrawal }) => withdrawal === null,
    );
    const relations = await this.ports.relations.ofWound(transaction, wound.id);
    const course = await this.courseOf(transaction, wound, events);
    return { wound: listed!, candidates, events, clinicalEvents, relations, course };
  }

  private async courseOf(
    transaction: TenantTransaction,
    wound: Wound,
    events: readonly WoundEvent[],
  ): Promise<Course | null> {
    if (wound.mergedInto !== null) return null;
    const standing = (await this.ports.reports.figures(transaction, wound.id)).filter(
      ({ content }) => content.comparison.supersededBy === null,
    );
    const last = standing.at(-1)?.content;
    const told = last === undefined ? null : { capturedAt: last.capturedAt, course: last.comparison.course ?? null };
    return presentCourse(wound, events, told);
  }

  private async withWaiting<Found extends Wound>(
    transaction: TenantTransaction,
    wounds: readonly Found[],
  ): Promise<(Found & ListedWound)[]> {
    const waiting = await this.ports.reports.waiting(
      transaction,
      wounds.map(({ id }) => id),
    );
    return wounds.map((wound) => ({ ...wound, waiting: waiting.get(wound.id) ?? [] }));
  }

  private async require(transaction: TenantTransaction, woundId: string): Promise<Wound> {
    const wound = await this.ports.wounds.find(transaction, woundId);
    if (wound === null) throw new SuturaError('wound.not_found');
    return wound;
  }

  private async record(
    transaction: TenantTransaction,
    woundId: string,
    decision: WoundDecision,
    otherWoundId: string | null,
    by: WoundDecisionBy,
  ): Promise<void> {
    await this.ports.wounds.record(transaction, {
      id: this.ports.ids.next(),
      woundId,
      decision,
      otherWoundId,
      reviewer: by.reviewer,
      note: by.note,
      reason: decision === 'closed' ? (by.reason ?? 'other') : null,
      enteredBy: by.enteredBy ?? null,
      decidedAt: by.decidedAt ?? (await this.ports.clinicalClock.now(transaction)),
    });
  }
}
