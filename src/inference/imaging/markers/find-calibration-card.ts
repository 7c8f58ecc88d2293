import type { MarkerFinding, PixelPoint } from '../../../core/measurement/wound-result.js';
import { CALIBRATION_CARDS, cardOfMarker, type CardCorrections } from '../../../core/calibration/calibration-card.js';
import type { Matrix3, PlaneScale } from '../../../core/measurement/plane-scale.js';
import type { PhotoRaster } from '../photo-raster.js';
import { refineCorners } from './corner-refinement.js';
import { toSearchPicture } from './grey-picture.js';
import { multiply } from './homography.js';
import { judgeCards } from './judge-cards.js';
import { MarkerSearch } from './marker-search.js';
import { readCard, type CardReading, type CheckedMarker } from './read-card.js';

/** The scale of a photo by its calibration card. */
interface CardFinding {
  /** null where there is no card, or none that can be trusted. */
  readonly scale: PlaneScale | null;
  /** null where no marker was seen. */
  readonly finding: MarkerFinding | null;
  /** The stored bar length that was applied to the card used; null: none is stored, so it counts as printed at 100 %. */
  readonly correctedBarMm: number | null;
  /** Edges of the cards in the photo, in its pixels: inside them is print, not skin. */
  readonly outlines: readonly (readonly PixelPoint[])[];
}

const NOTHING_SEEN: CardFinding = { scale: null, finding: null, correctedBarMm: null, outlines: [] };

let search: Promise<MarkerSearch> | undefined;

/** Loads what the search needs, about half a second; without it the first photo waits for that. */
export async function prepareCardSearch(): Promise<void> {
  search ??= MarkerSearch.open();
  await search;
}

/**
 * Looks for a printed calibration card and gives the scale of its plane, or says why a card that was seen is not used.
 * @param corrections bar lengths that the photo's organization measured on its printed cards
 */
export async function findCalibrationCard(
  raster: PhotoRaster,
  corrections: CardCorrections | null,
): Promise<CardFinding> {
  search ??= MarkerSearch.open();
  const seen = (await search).find(toSearchPicture(raster));
  const checked = seen.map((marker): CheckedMarker => ({ ...marker, refined: refineCorners(raster, marker.corners) }));
  const readings = readCards(checked, raster, corrections);
  const verdict = judgeCards(readings);
  if (verdict === null) return refuseStrangers(checked);
  const { plane, finding } = verdict;
  const outlines = readings.flatMap(({ outline }) => (outline === null ? [] : [toPhotoPixels(outline, raster)]));
  if (plane === null) return { ...NOTHING_SEEN, finding, outlines };
  const scale: PlaneScale = {
    source: 'marker',
    toMm: fromPhotoPixels(plane.toMm, raster),
    uncertaintyPct: Math.round(plane.uncertaintyPct * 100) / 100,
  };
  return {
    scale,
    finding,
    correctedBarMm: (finding.card === null ? undefined : corrections?.[finding.card]) ?? null,
    outlines,
  };
}

function readCards(
  markers: readonly CheckedMarker[],
  raster: PhotoRaster,
  corrections: CardCorrections | null,
): CardReading[] {
  return Object.values(CALIBRATION_CARDS).flatMap((card) => {
    const own = markers.filter(({ id }) => cardOfMarker(id)?.card === card);
    return own.length === 0 ? [] : [readCard(card, own, corrections?.[card.size], raster)];
  });
}

/** Markers of other sheets are reported, never used. One without a marker's edges counts as a chance pattern. */
function refuseStrangers(markers: readonly CheckedMarker[]): CardFinding {
  const markerIds = markers.filter(({ refined }) => typeof refined !== 'string').map(({ id }) => id);
  if (markerIds.length === 0) return NOTHING_SEEN;
  const finding: MarkerFinding = {
    status: 'refused',
    card: null,
    markerIds,
    tiltDegrees: null,
    reason: 'unknown_marker',
  };
  return { ...NOTHING_SEEN, finding };
}

/** The raster may be a smaller copy of the oriented photo. */
function fromPhotoPixels(toMm: Matrix3, { width, height, photo }: PhotoRaster): Matrix3 {
  return multiply(toMm, [width / photo.widthPx, 0, 0, 0, height / photo.heightPx, 0, 0, 0, 1]);
}

function toPhotoPixels(points: readonly PixelPoint[], { width, height, photo }: PhotoRaster): PixelPoint[] {
  return points.map(([x, y]): PixelPoint => [(x * photo.widthPx) / width, (y * photo.heightPx) / height]);
}
