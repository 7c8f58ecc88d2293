import type { MarkerFinding, MarkerRefusal } from '../../../core/measurement/wound-result.js';
import type { Matrix3 } from '../../../core/measurement/plane-scale.js';
import { stretchAt, type Point } from './homography.js';
import { isPlane, type CardPlane, type CardReading } from './read-card.js';

/** The judgement of all cards in a photo. */
interface CardVerdict {
  readonly plane: CardPlane | null;
  readonly finding: MarkerFinding;
}

/** Two cards agree where their scales differ by no more than this many of their joint standard deviations. */
const MOST_DEVIATIONS = 3;

/** One card decides; a second one has to agree with it. With a contradiction anywhere nothing is used. */
export function judgeCards(readings: readonly CardReading[]): CardVerdict | null {
  const contradiction = readings.find(({ outcome }) => outcome === 'contradictory');
  if (contradiction !== undefined) return refuse(contradiction, readings, 'contradictory');
  const usable = readings.flatMap((reading) => (isPlane(reading.outcome) ? [{ reading, plane: reading.outcome }] : []));
  const [best, ...others] = usable.sort((a, b) => a.plane.uncertaintyPct - b.plane.uncertaintyPct);
  if (best === undefined) {
    const first = readings[0];
    return first === undefined || isPlane(first.outcome) ? null : refuse(first, readings, first.outcome);
  }
  if (others.some(({ plane }) => !agree(best.plane, plane))) return refuse(best.reading, readings, 'contradictory');
  return {
    plane: best.plane,
    finding: { ...describe(best.reading, best.reading.markerIds), status: 'used', reason: null },
  };
}

function refuse(reading: CardReading, all: readonly CardReading[], reason: MarkerRefusal): CardVerdict {
  const markerIds = all.flatMap((one) => one.markerIds).sort((a, b) => a - b);
  return { plane: null, finding: { ...describe(reading, markerIds), status: 'refused', reason } };
}

function describe(
  { card, tiltDegrees }: CardReading,
  markerIds: readonly number[],
): Pick<MarkerFinding, 'card' | 'markerIds' | 'tiltDegrees'> {
  return { card: card.size, markerIds, tiltDegrees: tiltDegrees === null ? null : Math.round(tiltDegrees * 10) / 10 };
}

/** Halfway between the cards, where neither has to reach far. */
function agree(a: CardPlane, b: CardPlane): boolean {
  const middle: Point = [(a.centre[0] + b.centre[0]) / 2, (a.centre[1] + b.centre[1]) / 2];
  const differencePct = 100 * Math.abs(Math.log(scaleAt(a.toMm, middle) / scaleAt(b.toMm, middle)));
  return differencePct <= MOST_DEVIATIONS * Math.hypot(a.uncertaintyPct, b.uncertaintyPct);
}

function scaleAt(toMm: Matrix3, point: Point): number {
  const { most, least } = stretchAt(toMm, point);
  return Math.sqrt(most * least);
}
