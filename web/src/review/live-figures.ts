import { contourFault } from '../../../src/core/measurement/contour-check.js';
import { measureByScale, measureDrawn, reviewersScale } from '../../../src/core/measurement/measure-again.js';
import type { Measures } from '../../../src/core/measurement/measure-wounds.js';
import { perLength, type Measure } from '../../../src/core/measurement/measures.js';
import { planeScaleOf } from '../../../src/core/measurement/plane-scale.js';
import type { MeasuredArea, PixelPolygon, ScaleUsed } from '../../../src/core/measurement/wound-result.js';
import type { Polygon, Report, Work } from './types.js';
import { fill } from './words/words.js';
import type { Words } from './words/en.js';

interface SaidFigure {
  /** `12.5 cm²` */
  readonly value: string;
  /** `10.1 to 14.9`; null where there is no scale. */
  readonly range: string | null;
}

/** Of one outline, by the server's own code; in pixels where the photo has no scale. */
export type LiveFigures = Readonly<Record<Measure, SaidFigure>>;

/** The scale that the report will have once this work is saved. */
export function scaleOf({ findings }: Report, mmPerPixel: number | null): ScaleUsed {
  const stands = findings.scale as ScaleUsed;
  return mmPerPixel === null ? stands : reviewersScale(mmPerPixel, stands.marker ?? null);
}

/** As the saved report will have them: an outline that nobody touched keeps the bounds of who drew it. */
export function figuresOf(
  polygon: Polygon,
  index: number,
  { report, outlines, mmPerPixel }: Work & { readonly report: Report },
  { words, language }: { readonly words: Words; readonly language: string },
): LiveFigures {
  const scale = planeScaleOf(scaleOf(report, mmPerPixel));
  const area = outlines === report.findings.outlines ? knownArea(report, index) : null;
  const measured: Measures =
    area === null ? measureDrawn(polygon as PixelPolygon, scale) : measureByScale(polygon as PixelPolygon, area, scale);
  const number = (value: number) => value.toLocaleString(language);
  const said = (
    onSkin: { readonly value: number; readonly lower: number; readonly upper: number } | null,
    pixels: number,
    unit: 'cm' | 'cm²',
  ): SaidFigure =>
    onSkin === null
      ? { value: `${number(pixels)} ${unit === 'cm' ? 'px' : 'px²'}`, range: null }
      : {
          value: `${number(onSkin.value)} ${unit}`,
          range: fill(words.interval, { lower: number(onSkin.lower), upper: number(onSkin.upper) }),
        };
  const lengths = perLength((measure) => said(measured[measure].cm, measured[measure].pixels, 'cm'));
  return { area: said(measured.area.cm2, measured.area.pixels, 'cm²'), ...lengths };
}

/** What the report says of this outline; null: it says nothing of it alone. */
function knownArea({ findings }: Report, index: number): MeasuredArea | null {
  if (findings.outlineSource === 'reviewer_contour') return null;
  if (findings.outlines.length === 1) return findings.figures?.area ?? null;
  return findings.wounds?.filter(({ counted }) => counted)[index]?.figures.area ?? null;
}

/** Why the server would refuse it; null: it would not. */
export function faultOf(outlines: readonly Polygon[], { findings }: Report): string | null {
  return contourFault(outlines as readonly PixelPolygon[], findings.photo);
}
