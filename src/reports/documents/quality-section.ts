import type { AssessmentFindings } from '../../core/followup/assessment.js';
import { compactFacts, notice, paragraph, type Pen, type Section } from './document-blocks.js';

/** The quality of the photo, and the limits of its figures. */
export function qualitySection({ say, figures }: Pen, { quality, tissue }: AssessmentFindings): Section {
  const byRule = tissue?.method.necrosis === 'cielab_rule';
  const limits = [
    say('limit.interval'),
    say('limit.plane'),
    say('limit.length'),
    ...(byRule ? [say('limit.necrosis')] : []),
  ];
  const verdict = quality.acceptable ? paragraph(say('quality.acceptable')) : notice(say('quality.poor'));
  return {
    heading: say('section.quality'),
    blocks: [
      verdict,
      ...(quality.warnings.length === 0
        ? []
        : [{ kind: 'list' as const, items: quality.warnings.map((warning) => say(`quality.${warning}`)) }]),
      compactFacts(
        { label: say('quality.sharpness'), value: figures.number(quality.sharpness) },
        { label: say('quality.exposure'), value: figures.number(quality.exposure) },
        { label: say('quality.glareShare'), value: figures.share(quality.glareShare) },
      ),
      { kind: 'list', items: limits },
    ],
  };
}
