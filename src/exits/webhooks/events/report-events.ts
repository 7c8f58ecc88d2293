import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { newlyRaised } from '../../../core/followup/raised-reasons.js';
import type { Wound } from '../../../core/followup/wound.js';
import { photoTrustOf, trendObstacleOf } from '../../../core/report/photo-trust.js';
import { eventIdOf } from '../queue/event-id.js';
import { sandboxOf } from './sandbox-mark.js';
import type { WebhookEvent } from '../queue/webhook-queue.js';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import type { ReportEventType } from './event-sources.js';

/** A version of a report, the one before it, and the wound that its photo was filed under. */
interface VersionInContext {
  readonly report: ClinicalReport;
  readonly before: ClinicalReport | null;
  readonly wound: OpenedWound | null;
}

/** A wound, with when it was made by the clock of its environment. */
export type OpenedWound = Wound & { readonly openedAt: Date };

/** The event of a version for each type, in order of sending; null: none. */
const MAKERS: Readonly<Record<ReportEventType, (version: VersionInContext) => WebhookEvent | null>> = {
  // A reassigned report is of an analysis that ended before.
  'analysis.completed': ({ report }) => (isFirst(report) && report.replaces === null ? completedOf(report) : null),
  'wound.opened': ({ report, wound }) => (isFirst(report) && wound !== null ? openedOf(wound) : null),
  'report.ready': ({ report }) => (isFirst(report) ? eventOf('report.ready', report) : null),
  'report.amended': ({ report }) => (isFirst(report) ? null : eventOf('report.amended', report)),
  'report.reviewed': ({ report }) =>
    !isFirst(report) && report.reason === 'reviewed' ? eventOf('report.reviewed', report) : null,
  'wound.attention': attentionOf,
};

/** Events of all versions of a report, oldest first. `wound`: the one that its photo was filed under. */
export function eventsOfReport(versions: readonly ClinicalReport[], wound: OpenedWound | null): WebhookEvent[] {
  return versions.flatMap((report, index) =>
    Object.values(MAKERS).flatMap((make) => make({ report, before: versions[index - 1] ?? null, wound }) ?? []),
  );
}

function isFirst({ version }: ClinicalReport): boolean {
  return version === 1;
}

function completedOf({ id, jobId, imageId, issuedAt, content }: ClinicalReport): WebhookEvent {
  return {
    id: eventIdOf('analysis.completed', jobId),
    type: 'analysis.completed',
    timestamp: issuedAt,
    reportId: id,
    data: { jobId, imageId, reportId: id, woundDetected: content.findings.woundDetected, ...sandboxOf(content) },
    text: {},
  };
}

/** Every report of the wound yields the same event, which is sent once. */
function openedOf({ id, openedAt, patient, woundId, woundIdSystem }: OpenedWound): WebhookEvent {
  return {
    id: eventIdOf('wound.opened', id),
    type: 'wound.opened',
    timestamp: openedAt,
    reportId: null,
    data: { woundId: id, reopened: false },
    text: { patient, callersWoundId: woundId, callersWoundIdSystem: woundIdSystem },
  };
}

/** Of a version that tells something which the one before did not, or more of it. */
function attentionOf({ report, before }: VersionInContext): WebhookEvent | null {
  if (report.status === 'entered-in-error') return null;
  const known = before === null || before.status === 'entered-in-error' ? null : before.content;
  return newlyRaised(report.content, known).length > 0 ? eventOf('wound.attention', report) : null;
}

/** The verdict with its reasons in codes; the clinician's words stay behind. null: made by rules that had none. */
function courseOf({ content }: ClinicalReport) {
  const { course } = content.comparison;
  if (course === undefined) return null;
  const { verdict, since, because, waitsFor } = course;
  return {
    verdict,
    since,
    because: because.map(({ domain, what, direction }) => ({ domain, what, direction })),
    waitsFor,
  };
}

function eventOf(type: WebhookEventType, report: ClinicalReport): WebhookEvent {
  const { id, version, status, reason, jobId, imageId, replaces, replacedBy, issuedAt, content } = report;
  const { findings, comparison, review, subject } = content;
  const { unconfirmedNecrosis } = comparison;
  return {
    id: eventIdOf(type, id, version),
    type,
    timestamp: issuedAt,
    reportId: id,
    data: {
      reportId: id,
      version,
      status,
      reason,
      jobId,
      imageId,
      woundId: subject.woundRef,
      replaces,
      replacedBy,
      capturedAt: content.capturedAt,
      ...(content.capturedAsStated === undefined ? {} : { capturedAsStated: content.capturedAsStated }),
      woundDetected: findings.woundDetected,
      areaCm2: findings.figures?.area.cm2 ?? null,
      ...photoTrustOf(findings, content.review),
      areaChangePct: comparison.sincePrevious?.areaPct ?? null,
      areaChangeWarnings: comparison.sincePrevious?.warnings ?? [],
      noTrendReason: trendObstacleOf(comparison),
      flags: content.flags.map(({ code }) => code),
      attention: comparison.attention,
      ...(unconfirmedNecrosis === undefined ? {} : { unconfirmedNecrosis }),
      course: courseOf(report),
      ...(comparison.reset === undefined ? {} : { reset: comparison.reset.type }),
      ...(comparison.relation === undefined ? {} : { relation: comparison.relation.kind }),
      decision: review?.decision ?? null,
      ...sandboxOf(content),
    },
    text: {
      patient: subject.patient,
      callersWoundId: subject.woundId,
      callersWoundIdSystem: subject.woundIdSystem,
      bodySite: subject.bodySite,
      laterality: subject.laterality,
      woundType: subject.woundType,
      clinicalContext: content.clinicalContext,
      clinicianObservations: content.clinicianObservations,
      review,
    },
  };
}
