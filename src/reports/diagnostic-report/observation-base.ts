import { createHash } from 'node:crypto';
import type { CodeableConcept, Observation } from '@medplum/fhirtypes';
import type { CodedConcept } from '../../core/analysis/analysis-job.js';
import { tissueModelOf } from '../../core/analysis/models-used.js';
import type { ScaleUsed } from '../../core/measurement/wound-result.js';
import type { AssessmentFindings } from '../../core/followup/assessment.js';
import type { AssessmentLink } from '../../core/followup/series.js';
import type { ClinicalReport } from '../../core/report/clinical-report.js';
import type { Tissue } from '../../core/tissue/tissues.js';
import { aiLabels, EXAM, OBSERVED_MEASURES, type Code, type ObservedMeasure } from '../terminology/codes.js';
import { identifierSystem, profileUrl, SNOMED } from '../terminology/codes.js';
import { conceptWords, siteName } from '../documents/concept-words.js';
import type { WordingKey } from '../wording/wording.js';
import { only, penFor, refer, type Rendered, type RenderingContext } from './rendering-context.js';

/** The subject of an Observation; `size`, `bed` and `appearance-…` are the HL7 guide's forms of the others. */
export type ObservationKind =
  | 'panel'
  | ObservedMeasure
  | 'tissue'
  | 'progress'
  | 'size'
  | 'bed'
  | `appearance-${Tissue}`
  | ClinicianKind;
/** What a clinician stated at the bedside, which no photo shows and no review made. */
export type ClinicianKind = `stated-${string}`;

/** Our own profile of each kind; none where the form is the HL7 guide's. */
const PROFILE: Readonly<Partial<Record<ObservationKind, string>> & Record<ObservedMeasure, string>> = {
  panel: 'sutura-wound-assessment-panel',
  area: 'sutura-wound-area',
  length: 'sutura-wound-length',
  width: 'sutura-wound-width',
  tissue: 'sutura-wound-tissue-composition',
};
/** Figures of the wound bed, which a clinician states by themselves. */
const isOfBed = (kind: ObservationKind): boolean =>
  kind === 'tissue' || kind === 'bed' || kind.startsWith('appearance-');
const isClinicians = (kind: ObservationKind): kind is ClinicianKind => kind.startsWith('stated-');
const SEQUEL_TO = 'http://hl7.org/fhir/StructureDefinition/observation-sequelTo';

/** `Observation` of one kind of a report: the same id in every version. */
export function observationId(reportId: string, kind: ObservationKind): string {
  return `${reportId}-${kind}`;
}

const LONGEST_ID = 64;

/** `Device` of a model version, as `name/version`. Where that makes no id that FHIR allows, a digest tells it from others that look like it. */
export function deviceId(model: string): string {
  const plain = model.replace('/', '-');
  if (/^[A-Za-z0-9.-]+$/.test(plain) && plain.length <= LONGEST_ID) return plain;
  const digest = createHash('sha256').update(model).digest('hex').slice(0, 16);
  return `${plain.replace(/[^A-Za-z0-9.-]+/g, '-').slice(0, LONGEST_ID - 1 - digest.length)}-${digest}`;
}

/** The common part of every Observation of a report. `profile`: given if it is not our own of the kind. */
export function observationBase(
  { reading: { report }, context }: Rendered,
  kind: ObservationKind,
  code: Code,
  profile?: string,
): Observation {
  const { content } = report;
  const { models, findings } = content;
  const byPerson = measuredByPerson(report, kind);
  return {
    resourceType: 'Observation',
    id: observationId(report.id, kind),
    ...metaOf(context.patient === null ? null : (profile ?? ownProfileOf(kind)), byPerson),
    // What a clinician stated has words of their own, in whichever language.
    ...(isClinicians(kind) ? {} : { language: context.language ?? 'en' }),
    ...sequelOf(report, context, kind),
    identifier: [{ system: identifierSystem('observation'), value: `${report.jobId}/${kind}` }],
    ...(context.order === null ? {} : { basedOn: [refer(context.order.reference)] }),
    // The neutral statuses are R4's own words.
    status: report.status,
    category: [only(EXAM)],
    code: only(code),
    ...(context.patient === null
      ? {}
      : { subject: refer(context.patient), focus: [refer(`BodyStructure/${content.subject.woundRef}`)] }),
    ...(context.encounter === null ? {} : { encounter: refer(context.encounter) }),
    effectiveDateTime: context.takenAt ?? content.capturedAt,
    issued: report.issuedAt.toISOString(),
    performer: [performerOf(report, context, byPerson && !isClinicians(kind))],
    ...bodySiteOf(report, context),
    ...(byPerson
      ? {}
      : {
          device: refer(`Device/${deviceId(isOfBed(kind) ? tissueModelOf(models, findings.model) : findings.model)}`),
        }),
    ...(isClinicians(kind) ? {} : { derivedFrom: [refer(context.mediaOf(report.imageId))] }),
  } as Observation;
}

function ownProfileOf(kind: ObservationKind): string | null {
  const own = PROFILE[kind];
  return own === undefined ? null : profileUrl(own);
}

function metaOf(profile: string | null, byPerson: boolean): Partial<Observation> {
  const meta = {
    ...(profile === null ? {} : { profile: [profile] }),
    ...(byPerson ? {} : { security: aiLabels() }),
  };
  return Object.keys(meta).length === 0 ? {} : { meta };
}

/** Once a person stated a value it is no longer the model's. */
export function measuredByPerson({ content: { findings } }: ClinicalReport, kind: ObservationKind): boolean {
  if (isClinicians(kind)) return true;
  if (isOfBed(kind)) return findings.confirmedTissues.length > 0;
  return kind !== 'panel' && findings.outlineSource === 'reviewer_contour';
}

const AUTOMATED = {
  none: 'method.photo',
  marker: 'method.calibrated',
  client: 'method.calibrated',
  reviewer: 'method.reviewerScale',
} as const satisfies Readonly<Record<ScaleUsed['source'], WordingKey>>;

export function methodOf({ reading: { report }, context }: Rendered, kind: ObservationKind): CodeableConcept {
  const { say } = penFor(context);
  if (measuredByPerson(report, kind))
    return { text: say(isOfBed(kind) || isClinicians(kind) ? 'method.stated' : 'method.outlined') };
  return { text: say(AUTOMATED[report.content.findings.scale.source]) };
}

function performerOf(
  { content: { review } }: ClinicalReport,
  { performer }: RenderingContext,
  byPerson: boolean,
): object {
  if (!byPerson || review === null) return refer(performer);
  const { id, name, system } = review.reviewer;
  return { identifier: { ...(system === undefined ? {} : { system }), value: id }, display: name };
}

/** The assessment before, measured or not. In versions of older rules it is known only where the two were compared. */
export function assessmentBefore({ content: { comparison } }: ClinicalReport): AssessmentLink | null {
  const { previous, previousAssessment } = comparison;
  // A sum is of no one report.
  return previousAssessment ?? (previous?.sumOf === undefined ? previous : null);
}

/** R4 has no link from a report to the one before; the standard extension has one for observations. */
function sequelOf(report: ClinicalReport, context: RenderingContext, kind: ObservationKind): Partial<Observation> {
  const before = assessmentBefore(report);
  const { findingsBefore, style } = context;
  if (before === null || findingsBefore === null || !followedKinds(findingsBefore, style).includes(kind)) return {};
  return {
    extension: [{ url: SEQUEL_TO, valueReference: refer(`Observation/${observationId(before.reportId, kind)}`) }],
  };
}

/** The Observations of an assessment that the next one can follow: one without a value says why, and is followed too. */
function followedKinds(
  { figures, tissue }: Pick<AssessmentFindings, 'figures' | 'tissue'>,
  style: RenderingContext['style'],
): ObservationKind[] {
  const bed = tissue !== null;
  if (style === 'skin-wound-ig') return ['panel', 'size', ...(bed ? (['bed'] as const) : [])];
  const lengths = OBSERVED_MEASURES.filter((measure) => measure !== 'area' && (figures?.[measure].cm ?? null) !== null);
  return ['panel', 'area', ...lengths, ...(bed ? (['tissue'] as const) : [])];
}

function bodySiteOf({ content: { subject } }: ClinicalReport, context: RenderingContext): Partial<Observation> {
  const site = toConcept(context, subject.bodySite, subject.laterality);
  return site === undefined ? {} : { bodySite: site };
}

/** The caller's code as it was given, with the side in words: the International edition's codes for sides are not verified. */
export function toConcept(
  context: Pick<RenderingContext, 'snomed' | 'language'>,
  coded: CodedConcept | null,
  side: string | null = null,
): CodeableConcept | undefined {
  const shown = coded?.code !== undefined && (context.snomed || coded.system !== SNOMED) ? [{ ...coded }] : [];
  const { say } = penFor(context);
  // Beside a code that is shown, only what it is known to mean.
  const known = coded === null ? null : shown.length === 0 ? conceptWords(say, coded) : siteName(say, coded);
  const text = [side, coded?.display ?? known].filter((part) => part !== null).join(' ');
  if (shown.length === 0 && text === '') return undefined;
  return { ...(shown.length === 0 ? {} : { coding: shown }), ...(text === '' ? {} : { text }) };
}
