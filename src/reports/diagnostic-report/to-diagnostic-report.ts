import type { DiagnosticReport, Extension, Identifier, Observation } from '@medplum/fhirtypes';
import type { ReportReading } from '../../core/report/clinical-report.js';
import { summarizeReport } from '../documents/report-document.js';
import { ATTENTION, aiLabels, DIAGNOSTIC_IMAGING, FILLER, NURSING_MEASURES, OBSERVABLE } from '../terminology/codes.js';
import { identifierSystem, profileUrl } from '../terminology/codes.js';
import { flagConclusions, verdictConclusion } from './course-components.js';
import { assessmentBefore } from './observation-base.js';
import { toObservations } from './observations.js';
import { only, penFor, refer, type Rendered, type RenderingContext } from './rendering-context.js';

const REPLACES = 'http://hl7.org/fhir/StructureDefinition/diagnosticReport-replaces';

export interface ReportResources {
  readonly report: DiagnosticReport;
  /** The panel first, then its members. */
  readonly observations: readonly Observation[];
}

/**
 * A clinical report as FHIR R4 (standards 2.2, 2.3): DiagnosticReport and Observations, with the figures as they stand.
 * Ids follow from the report's, so that every version of it is a version of the same resources.
 */
export function toReportResources(reading: ReportReading, context: RenderingContext): ReportResources {
  const rendered = { reading, context };
  const observations = toObservations(rendered);
  return { report: toDiagnosticReport(rendered, observations), observations };
}

function toDiagnosticReport(rendered: Rendered, observations: readonly Observation[]): DiagnosticReport {
  const { reading, context } = rendered;
  const { report } = reading;
  const { content } = report;
  const { attention } = content.comparison;
  const { language = 'en', timeZone = 'UTC' } = context;
  const { say } = penFor(context);
  const before = assessmentBefore(report);
  const conclusions = [
    verdictConclusion(rendered),
    ...attention.map((reason) => only(ATTENTION[reason])),
    ...flagConclusions(rendered),
  ].filter((conclusion) => conclusion !== undefined);
  const media = [
    { comment: say('resource.photo'), link: refer(context.mediaOf(report.imageId)) },
    ...(before === null
      ? []
      : [{ comment: say('resource.previousPhoto'), link: refer(context.mediaOf(before.imageId)) }]),
  ];
  return {
    resourceType: 'DiagnosticReport',
    id: report.id,
    meta: {
      ...(context.patient === null ? {} : { profile: [profileUrl('sutura-wound-assessment-report')] }),
      security: aiLabels(),
    },
    language,
    ...extensionsOf(reading, context),
    identifier: identifiersOf(reading, context),
    ...(context.order === null ? {} : { basedOn: [refer(context.order.reference)] }),
    status: report.status,
    category: [only(NURSING_MEASURES), only(DIAGNOSTIC_IMAGING)],
    code: { ...only(OBSERVABLE.panel), text: say('resource.report') },
    ...(context.patient === null ? {} : { subject: refer(context.patient) }),
    ...(context.encounter === null ? {} : { encounter: refer(context.encounter) }),
    effectiveDateTime: context.takenAt ?? content.capturedAt,
    issued: report.issuedAt.toISOString(),
    performer: [refer(context.performer)],
    ...interpreterOf(reading),
    result: observations.map(({ id }) => refer(`Observation/${id!}`)),
    media,
    conclusion: summarizeReport(report, language, timeZone),
    ...(conclusions.length === 0 ? {} : { conclusionCode: conclusions }),
    ...(context.document === null ? {} : { presentedForm: [context.document] }),
  } as DiagnosticReport;
}

/** Serial follow-up: the wound, the place in its series, the assessment before, the report of the same photo that this one replaces. */
function extensionsOf(
  { report, sequence }: ReportReading,
  { patient }: RenderingContext,
): { readonly extension?: Extension[] } {
  const before = assessmentBefore(report);
  // R4's extension takes one report; a withdrawn one stands in place of no other analysis any more.
  const supersedes = report.status === 'entered-in-error' ? null : report.content.comparison.supersedes;
  const replaced = supersedes ?? report.replaces;
  const extension = [
    ...(patient === null
      ? []
      : [{ url: profileUrl('wound'), valueReference: refer(`BodyStructure/${report.content.subject.woundRef}`) }]),
    ...(sequence === null ? [] : [{ url: profileUrl('assessment-sequence'), valuePositiveInt: sequence }]),
    ...(before === null
      ? []
      : [{ url: profileUrl('previous-assessment'), valueReference: refer(`DiagnosticReport/${before.reportId}`) }]),
    ...(replaced === null ? [] : [{ url: REPLACES, valueReference: refer(`DiagnosticReport/${replaced}`) }]),
  ] as Extension[];
  return extension.length === 0 ? {} : { extension };
}

function identifiersOf({ report }: ReportReading, { order }: RenderingContext): Identifier[] {
  const filler: Identifier = { type: only(FILLER), system: identifierSystem('job-id'), value: report.jobId };
  return order === null || order.placer === null ? [filler] : [filler, order.placer];
}

/** The person who verified it, once somebody has. */
function interpreterOf({ report }: ReportReading): Partial<DiagnosticReport> {
  const { review } = report.content;
  if (review === null || (review.decision !== 'accept' && review.decision !== 'correct')) return {};
  const { id, name, system } = review.reviewer;
  return {
    resultsInterpreter: [{ identifier: { ...(system === undefined ? {} : { system }), value: id }, display: name }],
  } as Partial<DiagnosticReport>;
}
