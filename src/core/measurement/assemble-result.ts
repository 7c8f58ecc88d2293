import type { AnalysisTrace, ArtifactInfo, ArtifactName, QualityWarning, WoundMeasurement, WoundResult } from '../analysis/wound-result.js';
import type { PhotoSize } from './probability-map.js';

/** Share of the largest outline above which the others together make it unclear which outlines are the wound. */
const MULTIPLE_OUTLINES_SHARE = 0.1;
/** An outline this close to the photo's border, in pixels, may go on outside. */
const EDGE_MARGIN_PX = 1;

export interface ResultParts {
  readonly photo: PhotoSize;
  /** Largest first. */
  readonly wounds: readonly WoundMeasurement[];
  readonly mmPerPixel: number | null;
  readonly artifacts: Readonly<Record<ArtifactName, ArtifactInfo>>;
  readonly trace: AnalysisTrace;
}

/** The result of one photo. No wound found is a result like any other, and says nothing of healing. */
export function assembleWoundResult(parts: ResultParts): WoundResult {
  const { wounds, mmPerPixel } = parts;
  const areaPixels = sum(wounds.map((wound) => wound.area.pixels));
  const areaCm2 = mmPerPixel === null ? null : sum(wounds.map((wound) => wound.area.cm2?.value ?? 0));
  return {
    schemaVersion: '1.0',
    woundDetected: wounds.length > 0,
    quality: { warnings: warningsFor(parts) },
    scale: { source: mmPerPixel === null ? 'none' : 'client', mmPerPixel },
    wounds,
    totals: { woundCount: wounds.length, areaPixels, areaCm2: wounds.length === 0 ? null : areaCm2 },
    scores: null,
    followUp: null,
    artifacts: parts.artifacts,
    trace: parts.trace,
  };
}

function warningsFor({ photo, wounds, mmPerPixel }: ResultParts): QualityWarning[] {
  const warnings: QualityWarning[] = [];
  if (mmPerPixel === null) warnings.push('no_scale');
  if (wounds.length === 0) warnings.push('no_wound');
  if (wounds.some((wound) => touchesEdge(wound, photo))) warnings.push('touches_edge');
  const [largest, ...others] = wounds;
  const othersPx = sum(others.map((wound) => wound.area.pixels));
  if (largest !== undefined && othersPx > largest.area.pixels * MULTIPLE_OUTLINES_SHARE) warnings.push('multiple_outlines');
  return warnings;
}

function touchesEdge({ boundingBox: box }: WoundMeasurement, photo: PhotoSize): boolean {
  return (
    box.x <= EDGE_MARGIN_PX ||
    box.y <= EDGE_MARGIN_PX ||
    box.x + box.width >= photo.widthPx - EDGE_MARGIN_PX ||
    box.y + box.height >= photo.heightPx - EDGE_MARGIN_PX
  );
}

/** Of figures already rounded for display: keeps the sum free of binary residue. */
function sum(values: readonly number[]): number {
  return Math.round(values.reduce((total, value) => total + value, 0) * 100) / 100;
}
