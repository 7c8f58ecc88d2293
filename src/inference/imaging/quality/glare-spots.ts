import type { GridRegion, LightnessGrid } from './lightness-grid.js';

/** All three channels near the upper end: the lamp's own light, whatever colour it falls on. */
const WHITE = 240;
/** Larger white areas are paper, cloth or dressing; single cells are noise. */
const MOST_SPOT_SHARE = 0.003;
const LEAST_SPOT_CELLS = 3;
/** A reflection lies on something darker; white cloth does not. */
const MOST_LIGHTNESS_AROUND = 80;
/** Cells from the spot to where its surroundings are looked at: a reflection fades out over a few. */
const FADE = 4;

/** Number of cells in small white spots on darker ground. */
export function countGlareCells(grid: LightnessGrid, region: GridRegion): number {
  const seen = new Uint8Array(grid.width * grid.height);
  const mostCells = (region.right - region.left) * (region.bottom - region.top) * MOST_SPOT_SHARE;
  let glare = 0;
  for (let row = region.top; row < region.bottom; row += 1) {
    for (let column = region.left; column < region.right; column += 1) {
      const index = row * grid.width + column;
      if (grid.whiteness[index]! < WHITE || seen[index] === 1) continue;
      const spot = collectSpot(grid, region, index, seen);
      if (spot.cells < LEAST_SPOT_CELLS || spot.cells > mostCells) continue;
      if (lightnessAround(grid, region, spot) < MOST_LIGHTNESS_AROUND) glare += spot.cells;
    }
  }
  return glare;
}

interface Spot {
  cells: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function collectSpot({ width, whiteness }: LightnessGrid, region: GridRegion, start: number, seen: Uint8Array): Spot {
  const spot = { cells: 0, left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  const open = [start];
  seen[start] = 1;
  const visit = (index: number) => {
    if (whiteness[index]! < WHITE || seen[index] === 1) return;
    seen[index] = 1;
    open.push(index);
  };
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const [column, row] = [index % width, Math.floor(index / width)];
    spot.cells += 1;
    [spot.left, spot.right] = [Math.min(spot.left, column), Math.max(spot.right, column)];
    [spot.top, spot.bottom] = [Math.min(spot.top, row), Math.max(spot.bottom, row)];
    if (column > region.left) visit(index - 1);
    if (column < region.right - 1) visit(index + 1);
    if (row > region.top) visit(index - width);
    if (row < region.bottom - 1) visit(index + width);
  }
  return spot;
}

/** Mean lightness of a frame around the spot, as far as it lies inside the photo; 100 where nothing of it does. */
function lightnessAround({ width, lightness }: LightnessGrid, region: GridRegion, spot: Spot): number {
  const [left, right, top, bottom] = [spot.left - FADE, spot.right + FADE, spot.top - FADE, spot.bottom + FADE];
  let [sum, count] = [0, 0];
  const look = (column: number, row: number) => {
    if (column < region.left || column >= region.right || row < region.top || row >= region.bottom) return;
    sum += lightness[row * width + column]!;
    count += 1;
  };
  for (let column = left; column <= right; column += 1) [top, bottom].forEach((row) => look(column, row));
  for (let row = top + 1; row < bottom; row += 1) [left, right].forEach((column) => look(column, row));
  return count === 0 ? 100 : sum / count;
}
