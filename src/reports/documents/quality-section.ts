import type { AssessmentFindings } from '../../core/followup/assessment.js';
import type { SeriesComparison } from '../../core/followup/series.js';
import type { ReportContent } from '../../core/report/clinical-report.js';
import { isConfirmed } from '../../core/report/review.js';
import { facts, notice, paragraph, type Pen, type Section } from './document-blocks.js';

/** The quality of the photo, and the limits of its figures. */
export function qualitySection(
  { say, figures }: Pen,
  findings: AssessmentFindings,
  ageGroup?: SeriesComparison['ageGroup'],
): Section {
  const { quality, tissue, scale } = findings;
  const isScaleStated = scale.source === 'client' || scale.source === 'reviewer';
  const byRule = tissue?.method.necrosis === 'cielab_rule';
  const limits = [
    say('limit.interval'),
    say('limit.plane'),
    ...(isScaleStated ? [say('limit.statedScale')] : []),
    say('limit.length'),
    ...(isTissueOfModel(tissue) ? [say('limit.tissue'), say('limit.tumour')] : []),
    ...(byRule ? [say('limit.necrosis')] : []),
    ...(ageGroup === undefined ? [] : [say('limit.child')]),
  ];
  // A dressing, too, can be sharp and well lit.
  const acceptable = findings.woundDetected ? 'quality.acceptable' : 'quality.acceptableNoWound';
  const verdict = quality.acceptable ? paragraph(say(acceptable)) : notice(say('quality.poor'));
  return {
    heading: say('section.quality'),
    blocks: [
      verdict,
      ...(isDoubtful(findings) ? [notice(say('quality.outline_doubtful'))] : []),
      ...(quality.warnings.length === 0
        ? []
        : [{ kind: 'list' as const, items: quality.warnings.map((warning) => say(`quality.${warning}`)) }]),
      facts(
        { label: say('quality.sharpness'), value: figures.number(quality.sharpness) },
        { label: say('quality.exposure'), value: figures.number(quality.exposure) },
        { label: say('quality.glareShare'), value: figures.share(quality.glareShare) },
        ...(findings.familiarity && findings.outlineSource === 'model'
          ? [{ label: say('quality.expectedDice'), value: figures.number(findings.familiarity.expectedDice.value) }]
          : []),
      ),
      { kind: 'list', items: limits },
    ],
  };
}

/** What a clinician stated of the bed does not depend on the light. */
function isTissueOfModel(tissue: AssessmentFindings['tissue']): boolean {
  return tissue !== null && Object.values(tissue.method).some((method) => method !== 'clinician');
}

/** What keeps a reader from trusting the figures: a poor photo, and an outline of the model that no person has looked at. */
export function cautionTexts({ say }: Pen, { findings, review }: Pick<ReportContent, 'findings' | 'review'>): string[] {
  const { acceptable, warnings } = findings.quality;
  const isOutlined = findings.outlines.length > 0;
  const unseen = isConfirmed(review)
    ? []
    : UNBELIEVED.filter((warning) => warnings.includes(warning) && (warning !== 'unfamiliar' || isOutlined));
  return [
    ...(acceptable ? [] : [say('quality.poor')]),
    ...(isDoubtful(findings) && !isConfirmed(review) ? [say('quality.outline_doubtful')] : []),
    ...(warnings.includes('outline_unlikely') ? [say('quality.outline_unlikely')] : []),
    ...unseen.map((warning) => say(`quality.${warning}`)),
  ];
}

/** That the models were not tested on such a patient, until a person has looked. */
export function childTexts(
  { say }: Pen,
  { comparison, review }: Pick<ReportContent, 'comparison' | 'review'>,
): string[] {
  const { ageGroup } = comparison;
  if (ageGroup === undefined || isConfirmed(review)) return [];
  return [say(ageGroup === 'newborn' ? 'caution.newborn' : 'caution.child')];
}

/** Warnings that belong on the first page until a person has looked: each makes every figure doubtful. */
const UNBELIEVED = [
  'scale_mismatch',
  'scale_implausible',
  'marker_refused',
  'uncertain',
  'unfamiliar',
  'camera_time_unused',
] as const;

/** The model's own outline, and more likely wrong than right. */
function isDoubtful({ familiarity, outlineSource }: AssessmentFindings): boolean {
  return outlineSource === 'model' && familiarity?.outlineReliable === false;
}
