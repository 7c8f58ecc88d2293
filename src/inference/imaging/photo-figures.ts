import type { PhotoFigures } from '../../core/measurement/photo-quality.js';
import { edgeSteepness } from './quality/edge-steepness.js';
import { countGlareCells } from './quality/glare-spots.js';
import {
  contentOf,
  toLightnessGrid,
  type GridRegion,
  type LightnessGrid,
  type RgbRaster,
} from './quality/lightness-grid.js';

/** Below this lightness nothing can be distinguished. */
const DARK = 10;
/** At this value of all channels nothing can be distinguished either. */
const CLIPPED = 250;
const UPPER_SHARE = 0.05;
const LEVELS = 101;

/** Sharpness, exposure and glare of a photo, from its pixels; the black padding around it is left out. A few milliseconds. */
export function assessPhoto(raster: RgbRaster): PhotoFigures {
  const grid = toLightnessGrid(raster);
  const region = contentOf(grid);
  const cells = (region.right - region.left) * (region.bottom - region.top);
  if (cells <= 0) return { sharpness: 0, exposure: 0, highlight: 0, darkShare: 1, clippedShare: 0, glareShare: 0 };
  const light = readLight(grid, region);
  return {
    sharpness: round(edgeSteepness(grid, region), 2),
    exposure: round(light.sum / light.cells, 1),
    highlight: brightest(light.levels, light.cells * UPPER_SHARE),
    darkShare: round(light.dark / light.cells, 3),
    clippedShare: round(light.clipped / light.cells, 3),
    glareShare: round(countGlareCells(grid, region) / cells, 4),
  };
}

interface Light {
  cells: number;
  sum: number;
  dark: number;
  clipped: number;
  readonly levels: Uint32Array;
}

function readLight({ width, lightness, whiteness }: LightnessGrid, { left, top, right, bottom }: GridRegion): Light {
  const light = { cells: 0, sum: 0, dark: 0, clipped: 0, levels: new Uint32Array(LEVELS) };
  // Light changes slowly, so every other row is enough.
  for (let row = top; row < bottom; row += 2) {
    light.cells += right - left;
    for (let index = row * width + left; index < row * width + right; index += 1) {
      const level = lightness[index]!;
      light.sum += level;
      light.levels[Math.floor(level)]! += 1;
      if (level < DARK) light.dark += 1;
      if (whiteness[index]! >= CLIPPED) light.clipped += 1;
    }
  }
  return light;
}

/** The level that the given number of cells lie above. */
function brightest(levels: Uint32Array, cells: number): number {
  let left = cells;
  for (let level = LEVELS - 1; level > 0; level -= 1) {
    left -= levels[level]!;
    if (left <= 0) return level;
  }
  return 0;
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
