import {
  TISSUES,
  type Bounds,
  type MeasuredArea,
  type MeasuredLength,
  type ScaleUsed,
} from '../../core/analysis/wound-result.js';
import type { AssessmentFindings, WoundFigures } from '../../core/followup/assessment.js';
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

/** What the photo gave, or why it gave none. */
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
export function rangeText({ say, figures }: Pen, { lower, upper }: Bounds, unit: 'unit.cm' | 'unit.cm2'): string {
  return say('range', { lower: figures.number(lower, 2), upper: say(unit, { value: figures.number(upper, 2) }) });
}

function measureTable(pen: Pen, measured: WoundFigures): TableBlock {
  const { say } = pen;
  const area = areaRow(pen, say('measure.area'), measured.area);
  const lengths = (['length', 'width', 'perimeter'] as const).map((name) =>
    lengthRow(pen, say(`measure.${name}`), measured[name]),
  );
  return {
    kind: 'table',
    columns: [say('measure.measure'), say('measure.value'), say('measure.interval')],
    rows: [area, ...lengths].filter((row) => row !== null),
    widths: [5, 3, 4],
  };
}

function areaRow(pen: Pen, label: string, { cm2 }: MeasuredArea): string[] | null {
  return cm2 === null ? null : [label, pen.figures.areaCm2(cm2.value), rangeText(pen, cm2, 'unit.cm2')];
}

function lengthRow(pen: Pen, label: string, { cm }: MeasuredLength): string[] | null {
  return cm === null ? null : [label, pen.figures.lengthCm(cm.value), rangeText(pen, cm, 'unit.cm')];
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

/** null where no tissue model was in use. */
export function tissueSection({ say, figures }: Pen, { tissue }: AssessmentFindings): Section | null {
  if (tissue === null) return null;
  const shares = TISSUES.map((name) => ({
    tissue: name,
    label: say(`tissue.${name}`),
    share: tissue[name],
    shareText: figures.share(tissue[name]),
    method: say(`method.${tissue.method[name]}`),
  }));
  return {
    heading: say('section.tissue'),
    blocks: [{ kind: 'shares', columns: [say('tissue.tissue'), say('tissue.share'), say('tissue.method')], shares }],
  };
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
