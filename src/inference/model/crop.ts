import type { BoundingBox } from '../../core/measurement/wound-result.js';
import type { PhotoRaster, RasterRegion } from '../imaging/photo-raster.js';

/**
 * The square around a box that has a share of its longer side to spare on each side, at least `leastSide` wide, in whole
 * raster pixels; moved, and where it must be cut, to lie inside the raster.
 */
export function cropAround(
  box: BoundingBox,
  contextShare: number,
  raster: PhotoRaster,
  leastSide: number,
): RasterRegion {
  const side = Math.max(leastSide, Math.max(box.width, box.height) * (1 + 2 * contextShare));
  const [x, width] = span(box.x + box.width / 2, side, raster.width);
  const [y, height] = span(box.y + box.height / 2, side, raster.height);
  return { x, y, width, height };
}

function span(centre: number, wanted: number, limit: number): [start: number, length: number] {
  const length = Math.min(limit, Math.ceil(wanted));
  return [Math.min(limit - length, Math.max(0, Math.round(centre - length / 2))), length];
}
