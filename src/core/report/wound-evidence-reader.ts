import { SuturaError } from '../errors/sutura-error.js';
import type { ClinicalEvent } from '../followup/clinical-event.js';
import type { ClinicalEventRepository } from '../followup/clinical-event.repository.js';
import type { Wound } from '../followup/wound.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ClinicalReport, ReportSubject } from './clinical-report.js';
import type { ReportHeadings } from './report-heading.js';
import type { ReportRepository } from './report.repository.js';
import { changeOver, gapsOf, type WoundEvidence } from './wound-evidence.js';

export interface WoundEvidencePorts {
  readonly reports: ReportRepository;
  readonly wounds: WoundRepository;
  readonly headings: ReportHeadings;
  readonly clinicalEvents: Pick<ClinicalEventRepository, 'ofSeries'>;
  readonly clinicalClock: ClinicalClock;
}

/** As asked for; null: to now, and from four weeks and a day before the end. */
export interface EvidencePeriod {
  readonly from: Date | null;
  readonly to: Date | null;
}

const DAY_MS = 86_400_000;
/** Four weeks, and the visit on the day that they began, whatever its hour. */
const USUAL_DAYS = 29;
/** Longer is the course report's. */
export const LONGEST_EVIDENCE_DAYS = 366;
/** More photos than of a year of visits every third day are a mistake, or an attack. */
export const MOST_EVIDENCE_ASSESSMENTS = 120;

/** Gathers the evidence of a wound over a period. */
export class WoundEvidenceReader {
  constructor(private readonly ports: WoundEvidencePorts) {}

  /**
   * Follows a merge: the wound is that which now stands. `wound.not_found`; `report.not_found` where the wound never had an assessment;
   * `request.invalid` of a period that is empty or longer than 366 days, or holds more than 120 assessments.
   */
  async readIn(transaction: TenantTransaction, woundId: string, asked: EvidencePeriod): Promise<WoundEvidence> {
    const issuedAt = await this.ports.clinicalClock.now(transaction);
    const found = await this.ports.wounds.find(transaction, woundId);
    if (found === null) throw new SuturaError('wound.not_found');
    const wound = await this.ports.wounds.rootOf(transaction, found.id);
    const series = await this.ports.reports.series(transaction, wound.id);
    const latest = series.at(-1);
    if (latest === undefined)
      throw new SuturaError('report.not_found', { detail: 'The wound has no assessment. Send a photo of it.' });
    const { from, to } = periodOf(asked, issuedAt, latest);
    const reports = series.filter((report) => stands(report) && liesIn(report, from, to));
    if (reports.length > MOST_EVIDENCE_ASSESSMENTS)
      throw refusedPeriod(`must hold at most ${MOST_EVIDENCE_ASSESSMENTS} assessments`);
    const told = reports.at(-1) ?? latest;
    const events = await this.eventsDuring(transaction, wound, from, to);
    const evidence = {
      heading: await this.headingOf(transaction, told, wound),
      subject: subjectOf(told, wound),
      from,
      to,
      issuedAt,
      reports,
      change: changeOver(reports, events),
      events,
    };
    return { ...evidence, missing: gapsOf(evidence) };
  }

  /** Those that stand; withdrawn ones are none. */
  private async eventsDuring(
    transaction: TenantTransaction,
    { id }: Wound,
    from: Date,
    to: Date,
  ): Promise<ClinicalEvent[]> {
    const all = await this.ports.clinicalEvents.ofSeries(transaction, id);
    return all.filter(({ withdrawal, occurredAt }) => withdrawal === null && occurredAt >= from && occurredAt <= to);
  }

  private headingOf(transaction: TenantTransaction, { jobId, imageId }: ClinicalReport, { patientId, patient }: Wound) {
    return this.ports.headings.of(transaction, { jobId, imageId, patientId, patient });
  }
}

/** The patient is the one of the wound as it stands now, after merges too. */
function subjectOf({ content }: ClinicalReport, { id, patient }: Wound): ReportSubject {
  return { ...content.subject, patient, woundRef: id };
}

/** A photo by a clock that runs ahead of ours belongs to a period that ends now. */
function periodOf(
  { from, to }: EvidencePeriod,
  issuedAt: Date,
  latest: ClinicalReport,
): { readonly from: Date; readonly to: Date } {
  const now = new Date(Math.max(issuedAt.getTime(), new Date(latest.content.capturedAt).getTime()));
  const end = to ?? (from === null ? now : new Date(Math.min(now.getTime(), from.getTime() + USUAL_DAYS * DAY_MS)));
  const start = from ?? new Date(end.getTime() - USUAL_DAYS * DAY_MS);
  const days = (end.getTime() - start.getTime()) / DAY_MS;
  if (days <= 0 || start > now) throw refusedPeriod('must be before the end of the period, and not in the future');
  if (days > LONGEST_EVIDENCE_DAYS) throw refusedPeriod(`must be at most ${LONGEST_EVIDENCE_DAYS} days before the end`);
  return { from: start, to: end };
}

function refusedPeriod(detail: string): SuturaError {
  return new SuturaError('request.invalid', { errors: [{ pointer: '/query/from', detail }] });
}

/** One photo is one line: of several analyses the one that stands. */
function stands({ content }: ClinicalReport): boolean {
  return content.comparison.supersededBy === null;
}

function liesIn({ content }: ClinicalReport, from: Date, to: Date): boolean {
  const capturedAt = new Date(content.capturedAt);
  return capturedAt >= from && capturedAt <= to;
}
