import type { Margin } from './interval.js';
import type { Outline } from './outline.js';
import { eachSpanInside } from './outline-mask.js';
import type { ProbabilityMap } from './probability-map.js';

/** The probabilities between which the border of a wound may lie. */
export interface ProbabilityBand {
  readonly least: number;
  readonly most: number;
}

/** Pixels of one wound: above the threshold, above the band, and in the band's reach. */
interface Count {
  inside: number;
  certain: number;
  reached: number;
}

/**
 * The loss and gain of each outlined region at the upper and the lower edge of the band, as shares of its area.
 * A pixel between two wounds belongs to the nearer one; a pixel that is not joined to a wound belongs to none.
 * @param outlines in pixels of the map, at a threshold inside the band
 */
export function outlineBands(
  map: ProbabilityMap,
  outlines: readonly Outline[],
  { least, most }: ProbabilityBand,
): Margin[] {
  const { width, height, values } = map;
  const owners = new Uint16Array(width * height);
  const counts = outlines.map((outline, position): Count => {
    const count = { inside: 0, certain: 0, reached: 0 };
    eachSpanInside([outline.outer, ...outline.holes], width, height, (row, from, to) => {
      owners.fill(position + 1, row * width + from, row * width + to);
      count.inside += to - from;
      for (let index = row * width + from; index < row * width + to; index += 1)
        if (values[index]! > most) count.certain += 1;
    });
    return count;
  });
  spread(map, owners, least, counts);
  return counts.map(({ inside, certain, reached }) => ({
    below: inside === 0 ? 1 : 1 - certain / inside,
    above: inside === 0 ? 1 : reached / inside,
  }));
}

/** Lets all wounds grow together, pixel by pixel, through what is above `least`. */
function spread(
  { width, height, values }: ProbabilityMap,
  owners: Uint16Array,
  least: number,
  counts: readonly Count[],
): void {
  const queue: number[] = [];
  const claim = (index: number, owner: number) => {
    if (owners[index] !== 0 || !(values[index]! > least)) return;
    owners[index] = owner;
    counts[owner - 1]!.reached += 1;
    queue.push(index);
  };
  const claimAround = (index: number, owner: number) => {
    const column = index % width;
    if (column > 0) claim(index - 1, owner);
    if (column < width - 1) claim(index + 1, owner);
    if (index >= width) claim(index - width, owner);
    if (index < width * (height - 1)) claim(index + width, owner);
  };
  const starts = owners.length;
  for (let index = 0; index < starts; index += 1) {
    const owner = owners[index]!;
    if (owner !== 0 && isOpen(owners, index, width)) queue.push(index);
  }
  for (let next = 0; next < queue.length; next += 1) claimAround(queue[next]!, owners[queue[next]!]!);
}

/** True for a pixel that has a neighbour without an owner. */
function isOpen(owners: Uint16Array, index: number, width: number): boolean {
  return (
    owners[index - 1] === 0 || owners[index + 1] === 0 || owners[index - width] === 0 || owners[index + width] === 0
  );
}
