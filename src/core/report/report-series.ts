import { sitesInSeries, isSiteKnown } from '../followup/attention.js';
import type { TimedEvent } from '../followup/clinical-event.js';
import type { AssessmentInSeries } from '../followup/series-order.js';
import type { SeriesRelation } from '../followup/related-areas.js';
import { PRESENT_RULES } from '../followup/series.js';
import { followSeries } from '../followup/verdict.js';
import type { OtherUse } from '../followup/same-photo.js';
import type { TimedRelation } from '../followup/wound-relation.js';
import { closuresOf, type Closure } from '../followup/wound-closure.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { Wound } from '../followup/wound.js';
import type { OrganizationRepository } from '../organizations/organization.repository.js';
import type { ResultPolicy } from '../organizations/organization.js';
import type { BirthDates } from '../patients/birth-dates.js';
import type { AgeGroup } from '../patients/patient-age.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { ReportRepository } from './report.repository.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ClinicalReport, ReportContent, VersionReason } from './clinical-report.js';
import { isHeldBack } from './held-back.js';
import { toAssessment } from './reported-assessment.js';
import { initialStatus, statusAfterRecomputation, statusOnFiling } from './report-status.js';
import { isSameJson } from './same-content.js';
import { SeriesRelations } from './series-relations.js';

export interface ReportSeriesPorts {
  readonly reports: ReportRepository;
  readonly wounds: WoundRepository;
  readonly organizations: OrganizationRepository;
  readonly outbox: Outbox;
  readonly clinicalClock: ClinicalClock;
  readonly birthDates: BirthDates;
}

/** A report that is about to be written into a series: a first version, or a further one. */
export interface PendingReport {
  readonly report: ClinicalReport;
  readonly write: 'insert' | 'append';
  /** The wound of the assessment itself. */
  readonly woundId: string;
  /** Of a wound that the same transaction made: there is nothing else to read. */
  readonly isFirst?: boolean;
  /** What clinicians stated beside the photo changes: verdicts of later photos rest on it, by whichever rules they were told. */
  readonly isFormChanged?: boolean;
}

interface StoredSeries {
  readonly stored: readonly ClinicalReport[];
  readonly closures: readonly Closure[];
  readonly treatments: readonly TimedEvent[];
  readonly relations: readonly TimedRelation[];
  /** With what the other wounds of them hold. */
  readonly known: readonly SeriesRelation[];
}

/** Why further versions are made: other assessments changed what the report says, or a merge of patients moved it. Told as `report.amended`, `report.moved`. */
export type FurtherReason = Extract<VersionReason, 'recomputed' | 'moved'>;

/** Keeps all reports of one wound consistent. The caller holds the lock of `root`. */
export class ReportSeries {
  private readonly related: SeriesRelations;

  constructor(private readonly ports: ReportSeriesPorts) {
    this.related = new SeriesRelations(ports);
  }

  /**
   * Puts `pending` in its place, if there is one, and writes a further version of every other report whose content changes by it, or by what is
   * known anew of the other uses of its photo. Returns the pending report as it was written; null where there was none, or another caller had inserted it before.
   */
  async settle(
    transaction: TenantTransaction,
    root: Wound,
    pending: PendingReport | null = null,
    reason: FurtherReason = 'recomputed',
    otherUses: ReadonlyMap<string, readonly OtherUse[]> = new Map(),
  ): Promise<ClinicalReport | null> {
    const [read, birthDate] = await Promise.all([
      this.read(transaction, root, pending),
      root.patientId === null ? null : this.ports.birthDates.of(transaction, root.patientId),
    ]);
    const { stored, closures, treatments, relations } = read;
    const known = stored.map((report) => {
      const uses = otherUses.get(report.id);
      return uses === undefined ? report : { ...report, content: withOtherUses(report.content, uses) };
    });
    const all = pending === null ? known : [...known, pending.report];
    const contents = placeInSeries(all, root, closures, treatments, read.known, birthDate);
    const written = pending === null ? null : await this.write(transaction, pending, contents.get(pending.report.id)!);
    if (pending !== null && written === null) return null;
    const settled = stored.map((report) => ({ ...report, content: contents.get(report.id)! }));
    const waited = new Set(stored.filter(({ content }) => isHeldBack(content)).map(({ id }) => id));
    const changesAll = (content: ReportContent) =>
      pending?.isFormChanged === true && content.capturedAt >= pending.report.content.capturedAt;
    const changed = settled.filter(
      ({ content }, index) => !saysTheSame(stored[index]!.content, content, changesAll(content)),
    );
    await this.recompute(transaction, changed, waited, reason);
    if (written !== null || changed.length > 0) await this.tellRelated(transaction, root, relations);
    await this.describeWound(transaction, root, [...contents.values()]);
    return written;
  }

  /** The other reports of the series, the closures of its wound, and what was done to it. */
  private async read(
    transaction: TenantTransaction,
    { id: rootId }: Wound,
    pending: PendingReport | null,
  ): Promise<StoredSeries> {
    if (pending?.isFirst === true) return { stored: [], closures: [], treatments: [], relations: [], known: [] };
    const { reports, history, treatments, relations } = await this.ports.reports.seriesWithHistory(transaction, rootId);
    return {
      stored: reports.filter(({ id }) => id !== pending?.report.id),
      closures: closuresOf(history),
      treatments,
      relations,
      known: await this.related.of(transaction, rootId, relations),
    };
  }

  /** Each in a transaction of its own, later. */
  private async tellRelated(
    transaction: TenantTransaction,
    { id }: Wound,
    relations: readonly TimedRelation[],
  ): Promise<void> {
    if (relations.length === 0) return;
    for (const subjectId of await this.related.dependents(transaction, id, relations))
      await this.ports.outbox.append(transaction, { kind: 'wound.related', subjectId });
  }

  /** The wound is where its last assessment that stands says. */
  private async describeWound(
    transaction: TenantTransaction,
    root: Wound,
    contents: readonly ReportContent[],
  ): Promise<void> {
    const standing = contents
      .filter(({ stated, comparison }) => stated.woundRef === root.id && isSiteKnown(comparison))
      .sort((a, b) => (a.capturedAt < b.capturedAt ? -1 : 1));
    const last = <Field extends 'bodySite' | 'laterality'>(field: Field) =>
      standing.findLast(({ stated }) => stated[field] !== null)?.stated[field] ?? root[field];
    const site = { bodySite: last('bodySite'), laterality: last('laterality') };
    if (!isSameJson(site, { bodySite: root.bodySite, laterality: root.laterality }))
      await this.ports.wounds.update(transaction, root.id, site);
  }

  private async write(
    transaction: TenantTransaction,
    { report, write, woundId }: PendingReport,
    content: ReportContent,
  ): Promise<ClinicalReport | null> {
    const status = write === 'insert' ? statusOnFiling(report.status, isHeldBack(content)) : report.status;
    const settled = { ...report, status, content };
    if (write === 'insert') return (await this.ports.reports.insert(transaction, settled, woundId)) ? settled : null;
    await this.ports.reports.append(transaction, [settled]);
    await this.tell(transaction, 'report.amended', report);
    return settled;
  }

  private async recompute(
    transaction: TenantTransaction,
    changed: readonly ClinicalReport[],
    waited: ReadonlySet<string>,
    reason: FurtherReason,
  ): Promise<void> {
    if (changed.length === 0) return;
    const issuedAt = await this.ports.clinicalClock.now(transaction);
    // What need no longer wait has the status that it would have had without; another analysis that stands in its place answers nothing.
    const freed = ({ id, status, content }: ClinicalReport) =>
      waited.has(id) &&
      !isHeldBack(content) &&
      content.comparison.supersededBy === null &&
      status === 'preliminary' &&
      content.review === null;
    const policy = changed.some(freed) ? await this.policyOf(transaction) : null;
    const versions = changed.map((report) => ({
      ...report,
      version: report.version + 1,
      status: policy !== null && freed(report) ? initialStatus(policy) : statusAfterRecomputation(report.status),
      reason,
      issuedAt,
    }));
    await this.ports.reports.append(transaction, versions);
    for (const report of versions)
      await this.tell(transaction, reason === 'moved' ? 'report.moved' : 'report.amended', report);
    // Where a wound or patient was joined into another, what contradicted may do so no longer.
    for (const { imageId, content } of versions)
      if (content.otherUses !== undefined)
        await this.ports.outbox.append(transaction, { kind: 'photo.shared', subjectId: imageId });
  }

  private async policyOf(transaction: TenantTransaction): Promise<ResultPolicy> {
    const organization = await this.ports.organizations.find(transaction, transaction.tenant.organizationId);
    return organization?.resultPolicy ?? 'review';
  }

  private async tell(
    transaction: TenantTransaction,
    kind: 'report.amended' | 'report.moved',
    report: ClinicalReport,
  ): Promise<void> {
    await this.ports.outbox.append(transaction, { kind, subjectId: report.id });
  }
}

/** The content with what its photo is filed for besides. */
export function withOtherUses(content: ReportContent, uses: readonly OtherUse[]): ReportContent {
  const { otherUses: _before, ...rest } = content;
  return uses.length === 0 ? rest : { ...rest, otherUses: uses };
}

/** The content of each report once all of them stand in one series. `closures`, `treatments` and `relations`: of the wound, oldest first; `birthDate`: of its patient. */
export function placeInSeries(
  reports: readonly ClinicalReport[],
  root: Wound,
  closures: readonly Closure[] = [],
  treatments: readonly TimedEvent[] = [],
  relations: readonly SeriesRelation[] = [],
  birthDate: string | null = null,
): Map<string, ReportContent> {
  const assessments = withAges(reports.map(toAssessment), birthDate);
  const { comparisons, flags } = followSeries(assessments, closures, treatments, relations);
  const sites = sitesInSeries(assessments, comparisons);
  return new Map(
    reports.map(({ id, content }) => {
      const known = sites.get(id)!;
      const subject = {
        ...content.subject,
        patient: root.patient,
        woundRef: root.id,
        woundId: root.woundId,
        woundIdSystem: root.woundIdSystem,
        bodySite: known.bodySite ?? content.subject.bodySite,
        laterality: known.laterality ?? content.subject.laterality,
      };
      return [id, { ...content, subject, comparison: comparisons.get(id)!, flags: flags.get(id)! }];
    }),
  );
}

/** All analyses of a photo have what was said of the age on it. */
function withAges(assessments: readonly AssessmentInSeries[], birthDate: string | null): AssessmentInSeries[] {
  const said = new Map<string, AgeGroup>();
  for (const { imageId, ageGroupSaid } of assessments) if (ageGroupSaid !== undefined) said.set(imageId, ageGroupSaid);
  return assessments.map((assessment) => ({ ...assessment, birthDate, ageGroupSaid: said.get(assessment.imageId) }));
}

/** A version by older rules is left as it was issued while the areas that it compares are the same, unless `isOfChangedForm`. */
export function saysTheSame(stored: ReportContent, settled: ReportContent, isOfChangedForm = false): boolean {
  if (isOfChangedForm || stored.comparison.rules >= PRESENT_RULES) return isSameJson(stored, settled);
  const essence = ({ subject, findings, comparison }: ReportContent) => ({
    subject,
    findings,
    noTrendReason: comparison.noTrendReason,
    previous: comparison.previous,
    baseline: comparison.baseline,
    ageGroup: comparison.ageGroup,
  });
  return isSameJson(essence(stored), essence(settled));
}
