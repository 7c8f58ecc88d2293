import type { AssessmentFindings } from '../../core/followup/assessment.js';
import type { ReportContent } from '../../core/report/clinical-report.js';
import { isConfirmed } from '../../core/report/review.js';
import { facts, notice, paragraph, type Pen, type Section } from './document-blocks.js';

/** The quality of the photo, and the limits of its figures. */
export function qualitySection({ say, figures }: Pen, findings: AssessmentFindings): Section {
  const { quality, tissue, scale } = findings;
  const isScaleStated = scale.source === 'client' || scale.source === 'reviewer';
  const byRule = tissue?.method.necrosis === 'cielab_rule';
  const limits = [
    say('limit.interval'),
    say('limit.plane'),
    ...(isScaleStated ? [say('limit.statedScale')] : []),
    say('limit.length'),
    ...(byRule ? [say('limit.necrosis')] : []),
  ];
  const verdict = quality.acceptable ? paragraph(say('quality.acceptable')) : notice(say('quality.poor'));
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

/** What keeps a reader from trusting the figures: a poor photo, and an outline of the model that no person has looked at. */
export function cautionTexts({ say }: Pen, { findings, review }: Pick<ReportContent, 'findings' | 'review'>): string[] {
  const { acceptable, warnings } = findings.quality;
  const unseen = isConfirmed(review) ? [] : UNBELIEVED.filter((warning) => warnings.includes(warning));
  return [
    ...(acceptable ? [] : [say('quality.poor')]),
    ...(isDoubtful(findings) && !isConfirmed(review) ? [say('quality.outline_doubtful')] : []),
    ...unseen.map((warning) => say(`quality.${warning}`)),
  ];
}

/** Warnings that belong on the first page until a person has looked: each makes every figure doubtful. */
const UNBELIEVED = ['scale_mismatch', 'marker_refused', 'uncertain'] as const;

/** The model's own outline, and more likely wrong than right. */
function isDoubtful({ familiarity, outlineSource }: AssessmentFindings): boolean {
  return outlineSource === 'model' && familiarity?.outlineReliable === false;
}
