import type { Bounds, ScaleUsed, WoundFigures } from '../../core/measurement/wound-result.js';
import type { AssessmentFindings } from '../../core/followup/assessment.js';
import { MEASURE_TABLE, MEASURES, type MeasureUnit } from '../../core/measurement/measures.js';
import {
  compactFacts,
  facts,
  factOf,
  notice,
  type Block,
  type Pen,
  type Section,
  type TableBlock,
} from './document-blocks.js';

/** The measures of the photo, or why there are none. */
export function measurementSection(pen: Pen, findings: AssessmentFindings): Section {
  const { say, figures } = pen;
  const blocks: Block[] = [];
  const obstacle = obstacleOf(pen, findings);
  if (obstacle !== null) blocks.push(notice(obstacle));
  if (findings.figures?.area.cm2) blocks.push(measureTable(pen, findings.figures));
  blocks.push(
    facts(
      findings.figures === null
        ? null
        : { label: say('measure.outlineSource'), value: say(`outline.${findings.outlineSource}`) },
      findings.otherOutlines === 0
        ? null
        : { label: say('finding.otherOutlines'), value: figures.number(findings.otherOutlines) },
      factOf(say('measure.confidence'), findings.confidence === null ? null : figures.share(findings.confidence)),
      ...scaleFacts(pen, findings.scale),
      findings.figures === null
        ? null
        : { label: say('measure.repeatability'), value: figures.percent(findings.areaRepeatabilityPct) },
    ),
  );
  return { heading: say('section.measurements'), blocks };
}

/** Why there are no figures, or why they are to be read with care; null where neither holds. */
export function obstacleOf({ say }: Pen, { figures, ambiguous, scale }: AssessmentFindings): string | null {
  if (figures === null) return say('finding.noWound');
  if (figures.area.cm2 === null) return say(scale.source === 'none' ? 'finding.noScale' : 'finding.notOnPlane');
  return ambiguous ? say('finding.ambiguous') : null;
}

/** `10.10 to 14.90 cm²` */
export function rangeText({ say, figures }: Pen, bounds: Bounds, unit: MeasureUnit): string {
  const digits = (value: number) => (unit === 'cm2' ? figures.within(value, bounds) : figures.number(value, 2));
  return say('range', { lower: digits(bounds.lower), upper: say(`unit.${unit}`, { value: digits(bounds.upper) }) });
}

function measureTable(pen: Pen, measured: WoundFigures): TableBlock {
  const { say, figures } = pen;
  const rows = MEASURES.flatMap((measure) => {
    const { unit } = MEASURE_TABLE[measure];
    const onSkin = measure === 'area' ? measured.area.cm2 : measured[measure].cm;
    if (onSkin === null) return [];
    const value = unit === 'cm2' ? figures.areaWithin(onSkin) : figures.lengthCm(onSkin.value);
    return [[say(`measure.${measure}`), value, rangeText(pen, onSkin, unit)]];
  });
  return {
    kind: 'table',
    columns: [say('measure.measure'), say('measure.value'), say('measure.interval')],
    rows,
    widths: [5, 3, 4],
  };
}

function scaleFacts({ say, figures }: Pen, { source, mmPerPixel, uncertaintyPct, marker }: ScaleUsed) {
  const tilt = source === 'marker' ? (marker?.tiltDegrees ?? null) : null;
  return [
    { label: say('measure.scale'), value: say(`scale.${source}`) },
    factOf(
      say('measure.mmPerPixel'),
      mmPerPixel === null ? null : say('unit.mmPerPixel', { value: figures.number(mmPerPixel) }),
    ),
    factOf(say('measure.scaleUncertainty'), uncertaintyPct === null ? null : figures.percent(uncertaintyPct)),
    factOf(say('measure.tilt'), tilt === null ? null : say('unit.degrees', { value: figures.number(tilt) })),
  ];
}

/** null where the operator has not turned the score on. */
export function pushSection({ say, figures }: Pen, { push }: AssessmentFindings): Section | null {
  if (push === null) return null;
  const rows = (['area', 'exudate', 'tissue', 'total'] as const).map((part) => {
    const score = push[part];
    return { label: say(`push.${part}`), value: score === null ? say('push.missing') : figures.number(score) };
  });
  return {
    heading: say('section.push'),
    blocks: [compactFacts(...rows), { kind: 'paragraph', text: say('push.note') }],
  };
}
