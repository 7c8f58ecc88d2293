import { SuturaError } from '../errors/sutura-error.js';
import type { Reviewer, Wound } from '../followup/wound.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { TimedEvent } from '../followup/clinical-event.js';
import type { ClinicalEventRepository } from '../followup/clinical-event.repository.js';
import type { JobRepository } from '../analysis/job.repository.js';
import type { ReportRepository } from './report.repository.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { Tenant } from '../tenancy/tenant.js';
import { placesOf } from '../followup/series-order.js';
import { toAssessment } from './reported-assessment.js';
import type { ClinicalReport, ReportFigures, ReportReading } from './clinical-report.js';
import { trendOf } from './trend-points.js';
import type { CourseReport } from './clinical-report.js';
import type { ReportAssembly } from './report-assembly.js';
import type { ReportHeading, ReportHeadings } from './report-heading.js';
import { withErasures, type ReportVersionId } from './report-document.js';

export interface ReportReadingPorts {
  readonly unitOfWork: UnitOfWork;
  readonly jobs: JobRepository;
  readonly reports: ReportRepository;
  readonly wounds: WoundRepository;
  readonly clinicalEvents: Pick<ClinicalEventRepository, 'ofSeries'>;
  readonly headings: ReportHeadings;
  readonly clinicalClock: ClinicalClock;
}

/** The capture times that a reader asks for, both ends included; null: without limit. */
export interface CapturePeriod {
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface Timeline {
  /** The wound that the series is of: the one asked for, or the one it was merged into. */
  readonly wound: Wound;
  /** Oldest photo first. The sequence counts the whole series, also outside the period. */
  readonly assessments: readonly { readonly sequence: number; readonly report: ReportFigures }[];
}

/** A report among those of its wound. */
export interface SeriesReading {
  readonly report: ClinicalReport;
  /** null: it was withdrawn. */
  readonly sequence: number | null;
  /** Of all reports of the wound that stand; two of one photo share theirs. */
  readonly places: ReadonlyMap<string, number>;
  readonly series: readonly ReportFigures[];
}

/** Whose a report is. */
export interface ReportOwner {
  /** Of its wound; null: of nobody. */
  readonly patientId: string | null;
  /** Its photo is somebody else's: it was given to another patient, under a report of its own. */
  readonly isGivenAway: boolean;
  /** Who gave it; null: nobody, or it is not known. */
  readonly givenBy: Reviewer | null;
}

/** Reports and timelines as they stand now. */
export class ReportReader {
  constructor(
    private readonly ports: ReportReadingPorts,
    private readonly assembly: ReportAssembly,
  ) {}

  /** The present version; makes the report of a completed job if it is not there yet. `report.not_found`. */
  async read(tenant: Tenant, reportId: string): Promise<ReportReading> {
    const found = await this.inTenant(tenant, (transaction) => this.readIn(transaction, reportId));
    if (found !== null) return found;
    const job = await this.inTenant(tenant, (transaction) => this.ports.jobs.findByReport(transaction, reportId));
    if (job?.status !== 'completed') throw new SuturaError('report.not_found');
    await this.assembly.assemble(tenant, job.id);
    const made = await this.inTenant(tenant, (transaction) => this.readIn(transaction, reportId));
    if (made === null) throw new SuturaError('report.not_found');
    return made;
  }

  /** Whose a report is as things stand; null: there is no such report. */
  ownerOf(tenant: Tenant, reportId: string): Promise<ReportOwner | null> {
    return this.inTenant(tenant, async (transaction) => {
      const current = await this.ports.reports.find(transaction, reportId);
      if (current === null) return null;
      const { status, replacedBy, content } = current.report;
      const isGiven = status === 'entered-in-error' && (replacedBy !== null || content.review?.decision === 'reassign');
      const { patientId } = await this.ports.wounds.rootOf(transaction, current.woundId);
      return { patientId, isGivenAway: isGiven, givenBy: isGiven ? (content.review?.reviewer ?? null) : null };
    });
  }

  /** The patient's wounds that stand for themselves, oldest first. */
  woundsOfPatient(tenant: Tenant, patientId: string): Promise<Wound[]> {
    return this.inTenant(tenant, async (transaction) => {
      const wounds = await this.ports.wounds.ofPatient(transaction, patientId);
      return wounds.filter(({ mergedInto }) => mergedInto === null);
    });
  }

  /** Oldest first. `report.not_found`. */
  async versions(tenant: Tenant, reportId: string): Promise<ClinicalReport[]> {
    const readVersions = () =>
      this.inTenant(tenant, (transaction) => this.ports.reports.versions(transaction, reportId));
    const known = await readVersions();
    if (known.length > 0) return known;
    await this.read(tenant, reportId);
    return readVersions();
  }

  /** `wound.not_found`. */
  timeline(tenant: Tenant, woundId: string, period: CapturePeriod): Promise<Timeline> {
    return this.inTenant(tenant, async (transaction) => {
      const wound = await this.rootOf(transaction, woundId);
      const series = await this.ports.reports.figures(transaction, wound.id);
      const places = placesOf(series.map(toAssessment));
      const assessments = series
        .map((report) => ({ sequence: places.get(report.id)!, report }))
        .filter(({ report }) => liesIn(report, period));
      return { wound, assessments };
    });
  }

  /** `wound.not_found`; `report.not_found` where the wound has no assessment in the period. */
  async course(tenant: Tenant, woundId: string, period: CapturePeriod): Promise<CourseReport> {
    const { reports, heading, events, issuedAt } = await this.inTenant(tenant, async (transaction) => {
      const wound = await this.rootOf(transaction, woundId);
      const series = await this.ports.reports.series(transaction, wound.id);
      // One photo is one line: of several analyses the one that stands.
      const reports = series.filter(
        (report) => liesIn(report, period) && report.content.comparison.supersededBy === null,
      );
      const last = reports.at(-1);
      const heading = last === undefined ? null : await this.headingOf(transaction, last, wound);
      const issuedAt = await this.ports.clinicalClock.now(transaction);
      return { reports, heading, events: await this.eventsOf(transaction, wound), issuedAt };
    });
    const last = reports.at(-1);
    if (last === undefined)
      throw new SuturaError('report.not_found', {
        detail: 'The wound has no assessment in this period. Ask for a longer one.',
      });
    return {
      ...period,
      heading,
      subject: last.content.subject,
      issuedAt,
      reports,
      trend: trendOf(reports, period.from),
      events: events.filter(({ occurredAt }) => isWithin(occurredAt, period)),
    };
  }

  /**
   * One version as a document shows it: the present one in its place in the series, an earlier one as it was written, with what is now known
   * of erased photos. null: there is no such version.
   */
  async readVersionIn(
    transaction: TenantTransaction,
    { reportId, version }: ReportVersionId,
  ): Promise<ReportReading | null> {
    const present = await this.readIn(transaction, reportId);
    if (present === null || present.report.version === version) return present;
    const report = (await this.ports.reports.versions(transaction, reportId)).find((one) => one.version === version);
    if (report === undefined) return null;
    return {
      report: withErasures(report, present.report),
      heading: present.heading,
      sequence: null,
      readAt: present.readAt,
      presentVersion: present.report.version,
      trend: [],
    };
  }

  /** The present version, within a transaction; null for unknown, malformed, foreign. */
  async readIn(transaction: TenantTransaction, reportId: string): Promise<ReportReading | null> {
    const found = await this.findInSeries(transaction, reportId);
    if (found === null) return null;
    const { report, root, series, places } = found;
    const trend = trendOf(series.filter(({ content }) => content.capturedAt <= report.content.capturedAt));
    const until = { from: null, to: new Date(report.content.capturedAt) };
    // One area is no curve that they could stand beside.
    const events = trend.length < 2 ? [] : await this.eventsOf(transaction, root);
    return {
      report,
      heading: await this.headingOf(transaction, report, root),
      presentVersion: report.version,
      sequence: places.get(reportId) ?? null,
      readAt: await this.ports.clinicalClock.now(transaction),
      trend,
      events: events.filter(({ occurredAt }) => isWithin(occurredAt, until)),
    };
  }

  /** The present version with the places of its series, within a transaction; null for unknown, malformed, foreign. */
  async readInSeries(transaction: TenantTransaction, reportId: string): Promise<SeriesReading | null> {
    const found = await this.findInSeries(transaction, reportId);
    if (found === null) return null;
    const { report, places, series } = found;
    return { report, places, series, sequence: places.get(reportId) ?? null };
  }

  private async findInSeries(transaction: TenantTransaction, reportId: string) {
    const current = await this.ports.reports.find(transaction, reportId);
    if (current === null) return null;
    const root = await this.ports.wounds.rootOf(transaction, current.woundId);
    const series = await this.ports.reports.figures(transaction, root.id);
    return { report: current.report, root, series, places: placesOf(series.map(toAssessment)) };
  }

  /** The patient is the one of the wound as it stands now, after merges too. */
  private headingOf(
    transaction: TenantTransaction,
    { jobId, imageId }: ClinicalReport,
    { patientId, patient }: Wound,
  ): Promise<ReportHeading> {
    return this.ports.headings.of(transaction, { jobId, imageId, patientId, patient });
  }

  /** What was done to the wound and stands, oldest first. */
  private async eventsOf(transaction: TenantTransaction, { id }: Wound): Promise<readonly TimedEvent[]> {
    return (await this.ports.clinicalEvents.ofSeries(transaction, id)).filter(({ withdrawal }) => withdrawal === null);
  }

  /** The wound that the series is of. `wound.not_found`. */
  private async rootOf(transaction: TenantTransaction, woundId: string): Promise<Wound> {
    const asked = await this.ports.wounds.find(transaction, woundId);
    if (asked === null) throw new SuturaError('wound.not_found');
    return this.ports.wounds.rootOf(transaction, asked.id);
  }

  private inTenant<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T> {
    return this.ports.unitOfWork.inTenant(tenant, work);
  }
}

type Figured = ClinicalReport | ReportFigures;

function liesIn({ content }: Figured, period: CapturePeriod): boolean {
  return isWithin(new Date(content.capturedAt), period);
}

function isWithin(moment: Date, { from, to }: CapturePeriod): boolean {
  return (from === null || moment >= from) && (to === null || moment <= to);
}
