import { geometricMean } from './statistics.mjs';

/**
 * Runs two sides in the order A B B A per round, so that a drift of the machine falls on both alike.
 * Each side answers a rate (higher is better). The ratio is the geometric mean over the rounds.
 *
 * @param {number} rounds
 * @param {{ ours: () => Promise<number>, floor: () => Promise<number> }} sides
 */
export async function compareAbba(rounds, { ours, floor }) {
  const oursRates = [];
  const floorRates = [];
  const ratios = [];
  for (let round = 0; round < rounds; round += 1) {
    const a1 = await ours();
    const b1 = await floor();
    const b2 = await floor();
    const a2 = await ours();
    oursRates.push(a1, a2);
    floorRates.push(b1, b2);
    ratios.push(geometricMean([a1, a2]) / geometricMean([b1, b2]));
  }
  return {
    ratio: geometricMean(ratios),
    ratios,
    ours: geometricMean(oursRates),
    floor: geometricMean(floorRates),
  };
}
