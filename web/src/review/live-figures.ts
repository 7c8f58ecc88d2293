import { contourFault } from '../../../src/core/measurement/contour-check.js';
import { measureOutline } from '../../../src/core/measurement/measure-wounds.js';
import { mapOutline } from '../../../src/core/measurement/outline.js';
import { planeScaleOf } from '../../../src/core/measurement/plane-scale.js';
import type { PixelPolygon, ScaleUsed } from '../../../src/core/measurement/wound-result.js';
import type { Polygon, Report } from './types.js';

/** Of one outline, by the server's own code; in pixels where the photo has no scale. */
export interface LiveFigures {
  readonly area: string;
  readonly length: string;
  readonly width: string;
  readonly perimeter: string;
}

/** Bounds are the server's to state: they depend on who drew. */
const NO_MARGIN = { below: 0, above: 0 };

export function figuresOf(polygon: Polygon, { findings }: Report, language: string): LiveFigures {
  const [outer, ...holes] = polygon.coordinates.map((ring) => ring.slice(1));
  const outline = mapOutline({ outer: outer!, holes, area: 0 }, (point) => point);
  const measured = measureOutline(outline, NO_MARGIN, planeScaleOf(findings.scale as ScaleUsed));
  const say = (value: number, unit: string) => `${value.toLocaleString(language)} ${unit}`;
  const lengthOf = (name: 'length' | 'width' | 'perimeter') => {
    const { cm, pixels } = measured[name];
    return cm === null ? say(pixels, 'px') : say(cm.value, 'cm');
  };
  const { cm2, pixels } = measured.area;
  return {
    area: cm2 === null ? say(pixels, 'px²') : say(cm2.value, 'cm²'),
    length: lengthOf('length'),
    width: lengthOf('width'),
    perimeter: lengthOf('perimeter'),
  };
}

/** Why the server would refuse it; null: it would not. */
export function faultOf(outlines: readonly Polygon[], { findings }: Report): string | null {
  return contourFault(outlines as readonly PixelPolygon[], findings.photo);
}
