import type { GridRegion, LightnessGrid } from './lightness-grid.js';

/** Cells on each side of a step that belong to the same edge. */
const REACH = 4;
/** Least change of L* over an edge: below it noise and JPEG blocks would be measured. */
const LEAST_CONTRAST = 10;
/** Darker cells are padding or a cut-out's border, which no lens has drawn. */
const BLACK = 3;
/** With fewer edges the photo is not judged. */
const LEAST_EDGES = 30;
/** In a sharp photo only some edges are sharp; most are soft shadows and rounded limbs. */
const SHARPEST_SHARE = 0.1;
const BINS = 100;

/**
 * Steepness of the steepest tenth of all clear edges: the share of an edge's contrast that lies between two neighbouring cells,
 * 0 to 1. An ideal edge blurred by σ cells has 1 ÷ (σ √(2π)): 0.4 for σ = 1, 0.2 for σ = 2. Contrast and light cancel out.
 * Measured along rows and along columns apart, the lesser counts: a hand that moves blurs in one direction only.
 */
export function edgeSteepness(grid: LightnessGrid, region: GridRegion): number {
  const [along, down] = [new EdgeCount(), new EdgeCount()];
  const [columns, rows] = [region.right - region.left, region.bottom - region.top];
  // Every other line is enough.
  const [row, column] = [new Float32Array(columns), new Float32Array(rows)];
  for (let top = region.top; top < region.bottom; top += 2) {
    readLine(grid.lightness, top * grid.width + region.left, 1, row);
    addLine(row, along);
  }
  for (let left = region.left; left < region.right; left += 2) {
    readLine(grid.lightness, region.top * grid.width + left, grid.width, column);
    addLine(column, down);
  }
  const found = [along, down].filter(({ edges }) => edges >= LEAST_EDGES);
  return found.length === 0 ? 0 : Math.min(...found.map((count) => count.steepest()));
}

/** Edges by steepness, in hundredths. */
class EdgeCount {
  edges = 0;
  private readonly counts = new Uint32Array(BINS + 1);

  add(steepness: number): void {
    this.counts[Math.min(BINS, Math.floor(steepness * BINS))]! += 1;
    this.edges += 1;
  }

  steepest(): number {
    let above = this.edges * SHARPEST_SHARE;
    for (let bin = BINS; bin > 0; bin -= 1) {
      above -= this.counts[bin]!;
      if (above <= 0) return Math.min(1, (bin + 0.5) / BINS);
    }
    return 0.5 / BINS;
  }
}

/** Copies a row or a column into one piece: what lies on a column is far apart in the grid, and is read ten times. */
function readLine(values: Float32Array, start: number, stride: number, line: Float32Array): void {
  for (let position = 0, index = start; position < line.length; position += 1, index += stride)
    line[position] = values[index]!;
}

function addLine(line: Float32Array, found: EdgeCount): void {
  let before = Math.abs(line[REACH]! - line[REACH - 1]!);
  let step = Math.abs(line[REACH + 1]! - line[REACH]!);
  for (let position = REACH; position + REACH + 1 < line.length; position += 1) {
    const after = Math.abs(line[position + 2]! - line[position + 1]!);
    // Only the steepest place of an edge.
    if (step * (2 * REACH + 1) >= LEAST_CONTRAST && step >= before && step > after)
      addEdge(line, position, step, found);
    before = step;
    step = after;
  }
}

function addEdge(line: Float32Array, position: number, step: number, found: EdgeCount): void {
  let least = line[position]!;
  let most = least;
  for (let near = position - REACH; near <= position + REACH + 1; near += 1) {
    const value = line[near]!;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least >= BLACK && most - least >= LEAST_CONTRAST) found.add(step / (most - least));
}
