import { listClinicalEvents, state, takeBack } from './clinical-events.js';
import { connectionOf } from './connection-of.js';
import type { FiledReport, ListReportsOptions, ReportFilter, ReportPage } from './filed-reports.js';
import type { ClinicalReport, ReadReport, Wound, WoundDetails, WoundPage, WoundTimeline } from './follow-up.js';
import type { WoundRelation } from './relations.js';
import type { ReportReview, ReviewLink } from './reviews.js';
import type { ClinicalEvent, ClinicalEventList } from './treatments.js';
import type {
  ClinicalEventOptions,
  DocumentBytes,
  CourseReportOptions,
  DownloadReportOptions,
  EventWithdrawalOptions,
  ListWoundsOptions,
  MergeWoundOptions,
  OfReport,
  OfReportAlone,
  OfWound,
  OfWoundAlone,
  PeriodOptions,
  RelationWithdrawalOptions,
  ReviewLinkOptions,
  ReviewOptions,
  SaveReportOptions,
  WoundClosingOptions,
  WoundDecisionOptions,
  WoundFilter,
  WoundJoinOptions,
  WoundSplitOptions,
} from './follow-up-options.js';
import type { CallOptions } from './options.js';
import { allPages } from './pages.js';
import {
  linkTo,
  downloadCourse,
  downloadEvidence,
  downloadReport,
  listReports,
  readReport,
  readVersions,
  reviewReport,
  saveReport,
} from './reports.js';
import type { SavedArtifact } from './resources.js';
import { decide, iterateWounds, listWounds, mergeWound, readTimeline, readWound, unmergeWound } from './wounds.js';

/** The operations of SuturaClient on wounds and reports. */
export abstract class FollowUpClient {
  /**
   * One page of wounds, newest first.
   *
   * @example
   * const { items, nextCursor } = await client.listWounds({ patientId: 'MRN-1', status: 'open', limit: 10 });
   * console.log(items.length, nextCursor);
   */
  async listWounds(options: ListWoundsOptions = {}): Promise<WoundPage> {
    return listWounds(connectionOf(this), options);
  }

  /**
   * All wounds that the filter lets through, newest first, fetched page by page as you go.
   *
   * @example
   * for await (const wound of client.iterateWounds({ linked: false })) {
   *   console.log(wound.id, wound.patient?.id);
   * }
   */
  iterateWounds(filter: WoundFilter & CallOptions = {}): AsyncGenerator<Wound, void, undefined> {
    return iterateWounds(connectionOf(this), filter);
  }

  /**
   * Reads a wound, with those that it may be the same as and what people decided about it. NotFoundError `wound.not_found`.
   *
   * @example
   * const { status, candidates, events } = await client.getWound(woundId);
   * console.log(status, candidates.length, events.at(-1)?.decision); // open
   */
  async getWound(...given: OfWoundAlone<CallOptions>): Promise<WoundDetails> {
    const { woundId, signal } = named('woundId', given);
    return readWound(connectionOf(this), woundId, signal);
  }

  /**
   * Every assessment of a wound in the order of the photos, compared with the one before and the first.
   * A job that has only just ended joins it a moment later, or at once where its report is read.
   *
   * @example
   * const { assessments } = await client.getWoundTimeline(woundId, { from: '2025-01-01T00:00:00Z' });
   * for (const { capturedAt, areaCm2, sincePrevious, noTrendReason } of assessments) {
   *   console.log(capturedAt, areaCm2?.value, sincePrevious?.areaPct, noTrendReason);
   * }
   */
  async getWoundTimeline(...given: OfWoundAlone<PeriodOptions>): Promise<WoundTimeline> {
    return readTimeline(connectionOf(this), named('woundId', given));
  }

  /**
   * Joins a wound into another of the same patient: a person's decision, undone by `unmergeWound`. ConflictError `wound.merge_refused`.
   *
   * @example
   * const { candidates: [same] } = await client.getWound(woundId);
   * if (same !== undefined) await client.mergeWound(woundId, { into: same.id, reviewer: { id: 'N-7', name: 'A. Nurse' } });
   */
  async mergeWound(...given: OfWound<MergeWoundOptions>): Promise<WoundDetails> {
    return mergeWound(connectionOf(this), named('woundId', given));
  }

  /**
   * Takes a merged wound out again, with all that had been merged into it. ConflictError `wound.not_merged`.
   *
   * @example
   * const { mergedInto } = await client.getWound(woundId);
   * if (mergedInto !== null) await client.unmergeWound(woundId, { note: 'Two wounds after all.' });
   */
  async unmergeWound(...given: OfWoundAlone<WoundDecisionOptions>): Promise<WoundDetails> {
    return unmergeWound(connectionOf(this), named('woundId', given));
  }

  /**
   * Notes that a person found the wound closed. Later photos are still filed under it and do not reopen it. ConflictError `wound.merged` for one
   * that is part of another.
   *
   * @example
   * const { status } = await client.closeWound(woundId, { reviewer: { id: 'N-7', name: 'A. Nurse' } });
   * console.log(status); // closed
   */
  async closeWound(...given: OfWoundAlone<WoundClosingOptions>): Promise<WoundDetails> {
    return decide(connectionOf(this), 'close', named('woundId', given));
  }

  /**
   * Notes that a person found the wound open again. ConflictError `wound.merged`.
   *
   * @example
   * const { status } = await client.reopenWound(woundId);
   * console.log(status); // open
   */
  async reopenWound(...given: OfWoundAlone<WoundClosingOptions>): Promise<WoundDetails> {
    return decide(connectionOf(this), 'reopen', named('woundId', given));
  }

  /**
   * The clinical events of a wound, oldest first, withdrawn ones too.
   *
   * @example
   * const { items } = await client.listClinicalEvents(woundId);
   * console.log(items.filter(({ withdrawn }) => withdrawn === null).map(({ type }) => type));
   */
  async listClinicalEvents(...given: OfWoundAlone<CallOptions>): Promise<ClinicalEventList> {
    const { woundId, signal } = named('woundId', given);
    return listClinicalEvents(connectionOf(this), woundId, signal);
  }

  /**
   * Records what was done to a wound. After a debridement, a graft or an operation the next photo within a week is a new baseline of the area.
   * ConflictError `wound.events_full`.
   *
   * @example
   * const { id } = await client.recordClinicalEvent(woundId, { type: 'debridement', occurredAt: '2026-03-03T10:15:00Z' });
   * console.log(id);
   */
  async recordClinicalEvent(...given: OfWound<ClinicalEventOptions>): Promise<ClinicalEvent> {
    return state(connectionOf(this), 'events', named('woundId', given));
  }

  /**
   * Takes an event back, as if it had never been; it stays in the list. NotFoundError `wound.event_not_found`.
   *
   * @example
   * const { items: [wrong] } = await client.listClinicalEvents(woundId);
   * if (wrong !== undefined) await client.withdrawClinicalEvent(woundId, { eventId: wrong.id, note: 'The other heel.' });
   */
  async withdrawClinicalEvent(...given: OfWound<EventWithdrawalOptions>): Promise<ClinicalEvent> {
    return takeBack(connectionOf(this), 'events', 'eventId', named('woundId', given));
  }

  /**
   * Says that the wounds of `from` have grown together into this one, which is compared with the sum of their areas. ConflictError
   * `wound.relation_refused`.
   *
   * @example
   * const { items: [upper] } = await client.listWounds({ patientId: 'MRN-4711', woundId: 'upper' });
   * const { items: [lower] } = await client.listWounds({ patientId: 'MRN-4711', woundId: 'lower' });
   * if (upper !== undefined && lower !== undefined)
   *   await client.joinWounds(upper.id, { from: [upper.id, lower.id], at: '2026-03-03T10:15:00Z' });
   */
  async joinWounds(...given: OfWound<WoundJoinOptions>): Promise<WoundRelation> {
    return state(connectionOf(this), 'join', named('woundId', given));
  }

  /**
   * Says that this wound has fallen into those of `into`, which are compared together with what it was. ConflictError
   * `wound.relation_refused`.
   *
   * @example
   * const { items: [upper] } = await client.listWounds({ patientId: 'MRN-4711', woundId: 'upper' });
   * const { items: [lower] } = await client.listWounds({ patientId: 'MRN-4711', woundId: 'lower' });
   * if (upper !== undefined && lower !== undefined)
   *   await client.splitWound(upper.id, { into: [upper.id, lower.id], at: '2026-03-03T10:15:00Z' });
   */
  async splitWound(...given: OfWound<WoundSplitOptions>): Promise<WoundRelation> {
    return state(connectionOf(this), 'split', named('woundId', given));
  }

  /**
   * Takes a relation back, as if it had never been: what had ended with it is open again. NotFoundError `wound.relation_not_found`.
   *
   * @example
   * const { relations } = await client.getWound(woundId);
   * for (const { id, withdrawn } of relations)
   *   if (withdrawn === null) await client.withdrawWoundRelation(woundId, { relationId: id, note: 'The other leg.' });
   */
  async withdrawWoundRelation(...given: OfWound<RelationWithdrawalOptions>): Promise<WoundRelation> {
    return takeBack(connectionOf(this), 'relations', 'relationId', named('woundId', given));
  }

  /**
   * The course of a wound in one document. NotFoundError `report.not_found` where no photo lies between the two moments.
   *
   * @example
   * import { writeFile } from 'node:fs/promises';
   * await writeFile('course.pdf', await client.downloadWoundReport(woundId, { format: 'pdf', language: 'de' }));
   */
  async downloadWoundReport(...given: OfWound<CourseReportOptions>): Promise<DocumentBytes> {
    return downloadCourse(connectionOf(this), named('woundId', given));
  }

  /**
   * Area, depth, tissue, change, photos and treatment over some weeks, with what is missing; without a period the last four weeks. At most
   * 366 days. NotFoundError `report.not_found` where the wound never had a photo.
   *
   * @example
   * import { writeFile } from 'node:fs/promises';
   * await writeFile('evidence.pdf', await client.downloadWoundEvidence(woundId, { format: 'pdf', language: 'de' }));
   */
  async downloadWoundEvidence(...given: OfWound<CourseReportOptions>): Promise<DocumentBytes> {
    return downloadEvidence(connectionOf(this), named('woundId', given));
  }

  /**
   * One page of the reports whose job has pairs of your own, those of the newest job first, without their content.
   *
   * @example
   * const { items, nextCursor } = await client.listReports({ metadata: { case: '4711' }, limit: 10 });
   * console.log(items.map(({ id, status }) => [id, status]), nextCursor);
   */
  async listReports(options: ListReportsOptions): Promise<ReportPage> {
    return listReports(connectionOf(this), { ...options });
  }

  /**
   * All reports whose job has pairs of your own, those of the newest job first, fetched page by page as you go.
   *
   * @example
   * for await (const report of client.iterateReports({ metadata: { case: '4711' } })) {
   *   console.log(report.id, report.status, report.replacedBy);
   * }
   */
  iterateReports(filter: ReportFilter & CallOptions): AsyncGenerator<FiledReport, void, undefined> {
    return allPages((cursor) => this.listReports({ ...filter, ...cursor }));
  }

  /**
   * Reads a report as it stands, with the `etag` that `reviewReport` needs. Takes its id, or the `links.report` of a job.
   *
   * @example
   * const report = await client.getReport(reportId);
   * console.log(report.status, report.version, report.findings.figures?.area.cm2?.value);
   */
  async getReport(...given: OfReportAlone<CallOptions>): Promise<ReadReport> {
    const { reportId, signal } = named('reportId', given);
    return readReport(connectionOf(this), reportId, signal);
  }

  /**
   * Every version of a report, oldest first.
   *
   * @example
   * for (const { version, status, review } of await client.getReportVersions(reportId)) {
   *   console.log(version, status, review?.reviewer.name);
   * }
   */
  async getReportVersions(...given: OfReportAlone<CallOptions>): Promise<ClinicalReport[]> {
    const { reportId, signal } = named('reportId', given);
    return readVersions(connectionOf(this), reportId, signal);
  }

  /**
   * A report as the bytes of a document: `pdf`, `html`, `text` or `json`.
   *
   * @example
   * const bytes = await client.downloadReport(reportId, { format: 'text', language: 'fr' });
   * console.log(new TextDecoder().decode(bytes));
   */
  async downloadReport(...given: OfReport<DownloadReportOptions>): Promise<DocumentBytes> {
    return downloadReport(connectionOf(this), named('reportId', given));
  }

  /**
   * Saves a report to a file. The file is there whole or not at all.
   *
   * @example
   * const saved = await client.saveReport(reportId, { path: 'report.pdf', format: 'pdf' });
   * console.log(saved.contentType, saved.sizeBytes); // application
   */
  async saveReport(...given: OfReport<SaveReportOptions>): Promise<SavedArtifact> {
    return saveReport(connectionOf(this), named('reportId', given));
  }

  /**
   * Takes a person's decision about a report as they read it, and returns the report that now stands; after `reassign` the new one.
   * PreconditionFailedError `report.stale` where another version was made meanwhile, ConflictError `report.entered_in_error`.
   *
   * @example
   * const report = await client.getReport(reportId);
   * const accepted = await client.reviewReport(report, { decision: 'accept', reviewer: { id: 'N-7', name: 'A. Nurse' } });
   * console.log(accepted.status, accepted.version); // final
   */
  async reviewReport(
    report: Pick<ReadReport, 'id' | 'etag'>,
    review: ReportReview,
    options: ReviewOptions = {},
  ): Promise<ReadReport> {
    return reviewReport(connectionOf(this), report, review, options);
  }

  /**
   * A link to the review desk, on which a person looks at the report, or at all reports of its wound, and decides. It opens once.
   * ScopeError `auth.scope` for a review without the right to review.
   *
   * @example
   * const { url, expiresAt } = await client.createReviewLink(reportId, { mode: 'read', of: 'wound', minutes: 5 });
   * console.log(url.split('#')[0], expiresAt);
   */
  async createReviewLink(...given: OfReport<ReviewLinkOptions>): Promise<ReviewLink> {
    return linkTo(connectionOf(this), named('reportId', given));
  }
}

/** The options of a call with the id among them, in whichever of the two forms they came. */
function named<Name extends string, Options extends object>(
  name: Name,
  given: [id: string, options?: Options] | [options: Options & Record<Name, string>],
): Options & Record<Name, string> {
  const [first, options] = given;
  return typeof first === 'string' ? ({ ...options, [name]: first } as Options & Record<Name, string>) : first;
}
