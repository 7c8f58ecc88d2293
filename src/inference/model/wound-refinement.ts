import { traceIsoContours } from '../../core/measurement/iso-contour.js';
import { ringBoundingBox, signedRingArea } from '../../core/measurement/polygon.js';
import type { BoundingBox } from '../../core/measurement/wound-result.js';
import type { ContentRegion, ProbabilityMap } from '../../core/measurement/probability-map.js';
import type { PhotoRaster, RasterRegion } from '../imaging/photo-raster.js';
import { cropAround } from './crop.js';
import type { SegmentationManifest } from './model-manifest.js';

/** Least side of a crop, in raster pixels: closer than this the model sees nothing but texture. */
const LEAST_CROP_SIDE = 224;
/** Least gain in detail for a second look; enlarging alone gains none. */
const LEAST_GAIN = 1.3;
/** Smaller specks, in pixels of the frame, get no second look. */
const LEAST_PROPOSAL_PX = 6;

/** A map of the whole photo, and where the photo lies in it: whole pixels. */
type WholeMap = ProbabilityMap;

/**
 * The region in which a second look would show the wounds larger: around all outlines or, where there are none, around the
 * likeliest spot. null: not configured in the manifest, the wounds are large already, or the raster has no further detail.
 */
export function chooseCrop(map: WholeMap, raster: PhotoRaster, manifest: SegmentationManifest): RasterRegion | null {
  const { refinement, threshold, minAreaShare, input } = manifest;
  if (refinement === undefined) return null;
  const contentPx = map.content.width * map.content.height;
  const found = regionsAbove(map, threshold).filter(({ areaPx }) => areaPx >= minAreaShare * contentPx);
  const seeds = found.length > 0 ? found : likeliest(map, refinement.proposalThreshold);
  const areaPx = seeds.reduce((sum, seed) => sum + seed.areaPx, 0);
  if (seeds.length === 0 || areaPx >= refinement.belowAreaShare * contentPx) return null;
  const scale = map.content.width / raster.width;
  const box = toRaster(unionOf(seeds.map((seed) => seed.box)), map, raster);
  const crop = cropAround(box, refinement.contextShare, raster, LEAST_CROP_SIDE);
  const gain = Math.min(1, input.width / crop.width, input.height / crop.height) / scale;
  return gain >= LEAST_GAIN ? crop : null;
}

interface Spot {
  readonly box: BoundingBox;
  readonly areaPx: number;
}

/** Regions of the photo; those in the black around it are left out. */
function regionsAbove(map: WholeMap, level: number): Spot[] {
  return traceIsoContours(map, level)
    .map((ring) => ({ box: within(ringBoundingBox(ring), map.content), areaPx: signedRingArea(ring) }))
    .filter(({ box, areaPx }) => areaPx > 0 && box.width > 0 && box.height > 0);
}

function within(box: BoundingBox, content: ContentRegion): BoundingBox {
  const [left, top] = [Math.max(box.x, content.x), Math.max(box.y, content.y)];
  const right = Math.min(box.x + box.width, content.x + content.width);
  const bottom = Math.min(box.y + box.height, content.y + content.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function likeliest(map: WholeMap, level: number | undefined): Spot[] {
  if (level === undefined) return [];
  const spots = regionsAbove(map, level).filter(({ areaPx }) => areaPx >= LEAST_PROPOSAL_PX);
  return spots.sort((a, b) => b.areaPx - a.areaPx).slice(0, 1);
}

function unionOf(boxes: readonly BoundingBox[]): BoundingBox {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function toRaster(box: BoundingBox, { content }: WholeMap, raster: PhotoRaster): BoundingBox {
  const [scaleX, scaleY] = [raster.width / content.width, raster.height / content.height];
  return {
    x: (box.x - content.x) * scaleX,
    y: (box.y - content.y) * scaleY,
    width: box.width * scaleX,
    height: box.height * scaleY,
  };
}
