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
export function edgeSteepness({ lightness, width }: LightnessGrid, region: GridRegion): number {
  const { left, top, right, bottom } = region;
  const [along, down] = [new EdgeCount(), new EdgeCount()];
  // Every other line is enough. Columns are gone through row by row, too: their cells lie far apart in memory.
  for (let row = top; row < bottom; row += 2)
    countEdges(lightness, { from: row * width + left + REACH, to: row * width + right - REACH - 1, by: 1 }, 1, along);
  for (let row = top + REACH; row < bottom - REACH - 1; row += 1)
    countEdges(lightness, { from: row * width + left, to: row * width + right, by: 2 }, width, down);
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

/** Every `by`-th cell from `from` up to but without `to`. */
interface Cells {
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/** Counts the edges between each of the cells and the next one in the line that it lies in; `stride` leads along that line. */
function countEdges(values: Float32Array, { from, to, by }: Cells, stride: number, found: EdgeCount): void {
  for (let index = from; index < to; index += by) {
    const here = values[index]!;
    const next = values[index + stride]!;
    const step = Math.abs(next - here);
    if (step * (2 * REACH + 1) < LEAST_CONTRAST) continue;
    // Only the steepest place of an edge.
    if (step < Math.abs(here - values[index - stride]!) || step <= Math.abs(values[index + 2 * stride]! - next))
      continue;
    let least = here;
    let most = here;
    for (let offset = -REACH; offset <= REACH + 1; offset += 1) {
      const value = values[index + offset * stride]!;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (least >= BLACK && most - least >= LEAST_CONTRAST) found.add(step / (most - least));
  }
}
