import { captureFault } from '../analysis/photo-fault.js';
import type { Outbox } from '../domain-events/outbox.js';
import { SuturaError } from '../errors/sutura-error.js';
import type { ClinicalEvent, ClinicalEventType } from '../followup/clinical-event.js';
import type { ClinicalEventRepository } from '../followup/clinical-event.repository.js';
import type { Reviewer, Wound } from '../followup/wound.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ReportHeadings } from '../report/report-heading.js';
import type { ReportSeries } from '../report/report-series.js';

export interface ClinicalEventPorts {
  readonly wounds: WoundRepository;
  readonly clinicalEvents: ClinicalEventRepository;
  readonly headings: ReportHeadings;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
  readonly ids: IdSource;
}

/** An event as a caller states it. */
export interface StatedEvent {
  /** Of the record at another door that it is; absent: a new one. */
  readonly id?: string;
  readonly type: ClinicalEventType;
  readonly occurredAt: Date;
  readonly note: string | null;
  readonly by: Reviewer | null;
  /** The person behind the request; absent: not named. */
  readonly enteredBy?: string | undefined;
}

/** Who takes an event back, and why. */
export type EventWithdrawalBy = Pick<StatedEvent, 'note' | 'by' | 'enteredBy'>;

/** An event, and the wound whose series it stands in. */
export interface FiledEvent {
  readonly event: ClinicalEvent;
  readonly wound: Wound;
}

/** Of one wound, withdrawn ones too: ten years of a weekly change of dressing. */
export const MOST_CLINICAL_EVENTS = 500;
/** Of the patient alone: no report has this id. */
const NO_REPORT = '00000000-0000-0000-0000-000000000000';
/** East of UTC by at most so much: a day begins so much earlier there. */
const EARLIEST_DAY_MS = 14 * 3_600_000;

/** What is done to wounds between their photos. An event that resets the area has its reports compared anew, as a photo that comes late. */
export class ClinicalEventService {
  constructor(
    private readonly ports: ClinicalEventPorts,
    private readonly series: ReportSeries,
  ) {}

  /** Of the series of the wound, withdrawn ones too, oldest first. `wound.not_found`. */
  async list(
    transaction: TenantTransaction,
    woundId: string,
  ): Promise<{ readonly wound: Wound; readonly events: readonly ClinicalEvent[] }> {
    const wound = await this.require(transaction, woundId);
    const root = await this.ports.wounds.rootOf(transaction, wound.id);
    return { wound, events: await this.ports.clinicalEvents.ofSeries(transaction, root.id) };
  }

  /** Whether there is an event with this id, of any wound, withdrawn or not. */
  isKnown(transaction: TenantTransaction, eventId: string): Promise<boolean> {
    return this.ports.clinicalEvents.exists(transaction, eventId);
  }

  /**
   * `wound.not_found`; `capture.future` for a moment that is to come, `request.invalid` for one before the patient's birth; `wound.events_full`.
   */
  async record(transaction: TenantTransaction, woundId: string, stated: StatedEvent): Promise<FiledEvent> {
    const { id } = await this.require(transaction, woundId);
    const root = await this.ports.wounds.lockRoot(transaction, id);
    await this.check(transaction, root, stated.occurredAt);
    const events = await this.ports.clinicalEvents.ofSeries(transaction, root.id);
    if (events.length >= MOST_CLINICAL_EVENTS) throw new SuturaError('wound.events_full');
    const event: ClinicalEvent = {
      id: stated.id ?? this.ports.ids.next(),
      woundId: id,
      type: stated.type,
      occurredAt: stated.occurredAt,
      note: stated.note,
      by: stated.by,
      recordedAt: await this.ports.clinicalClock.now(transaction),
      enteredBy: stated.enteredBy ?? null,
      withdrawal: null,
    };
    await this.ports.clinicalEvents.insert(transaction, event);
    await this.ports.outbox.append(transaction, { kind: 'wound.treated', subjectId: id });
    await this.series.settle(transaction, root);
    return { event, wound: root };
  }

  /** As if it had never been; it stays in the history. A repeat changes nothing. `wound.not_found`, `wound.event_not_found`. */
  async withdraw(
    transaction: TenantTransaction,
    woundId: string,
    eventId: string,
    { note, by, enteredBy }: EventWithdrawalBy,
  ): Promise<FiledEvent> {
    const { id } = await this.require(transaction, woundId);
    const root = await this.ports.wounds.lockRoot(transaction, id);
    const events = await this.ports.clinicalEvents.ofSeries(transaction, root.id);
    const event = events.find((one) => one.id === eventId);
    if (event === undefined) throw new SuturaError('wound.event_not_found');
    if (event.withdrawal !== null) return { event, wound: root };
    const withdrawal = {
      withdrawnAt: await this.ports.clinicalClock.now(transaction),
      by,
      note,
      enteredBy: enteredBy ?? null,
    };
    await this.ports.clinicalEvents.withdraw(transaction, event.id, withdrawal);
    await this.ports.outbox.append(transaction, { kind: 'wound.treated', subjectId: event.woundId });
    await this.series.settle(transaction, root);
    return { event: { ...event, withdrawal }, wound: root };
  }

  private async check(transaction: TenantTransaction, wound: Wound, occurredAt: Date): Promise<void> {
    const fault = captureFault(occurredAt, await this.ports.clinicalClock.now(transaction));
    if (fault !== null) throw new SuturaError(fault.code, { errors: [{ pointer: '/occurredAt', detail: TO_COME }] });
    if (wound.patientId === null) return;
    const { patientId, patient } = wound;
    const subject = { jobId: NO_REPORT, imageId: NO_REPORT, patientId, patient };
    const { birthDate } = await this.ports.headings.of(transaction, subject);
    // A month or a year alone is its beginning; the day of birth begins earlier in the east.
    const born = birthDate === null ? NaN : Date.parse(birthDate) - EARLIEST_DAY_MS;
    if (occurredAt.getTime() < born)
      throw new SuturaError('request.invalid', { errors: [{ pointer: '/occurredAt', detail: BEFORE_BIRTH }] });
  }

  private async require(transaction: TenantTransaction, woundId: string): Promise<Wound> {
    const wound = await this.ports.wounds.find(transaction, woundId);
    if (wound === null) throw new SuturaError('wound.not_found');
    return wound;
  }
}

const TO_COME = 'lies in the time to come';
const BEFORE_BIRTH = 'lies before the patient’s birth';
