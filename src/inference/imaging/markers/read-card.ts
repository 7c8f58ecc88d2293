import type { MarkerRefusal } from '../../../core/measurement/wound-result.js';
import { cardOfMarker, markerCorners, type CalibrationCard } from '../../../core/calibration/calibration-card.js';
import type { Matrix3 } from '../../../core/measurement/plane-scale.js';
import { fitCard, type CardFit } from './card-fit.js';
import { NINETY_PERCENT } from '../../../core/measurement/interval.js';
import { sideOf, type MarkerFault, type RefinedMarker } from './corner-refinement.js';
import { project, stretchAt, type Point } from './homography.js';
import { cardBend, planeOfPattern, type CardBend } from './card-bend.js';
import type { SeenMarker } from './marker-search.js';
import { patternEdges, patternPlaces } from './pattern-edges.js';
import type { PhotoRaster } from '../photo-raster.js';
import { scaleUncertaintyPct } from './scale-uncertainty.js';

/** A marker whose code was read, and what its edges said. */
export interface CheckedMarker extends SeenMarker {
  readonly refined: RefinedMarker | MarkerFault;
}

/** The plane of one card, in raster pixels. */
export interface CardPlane {
  readonly toMm: Matrix3;
  readonly uncertaintyPct: number;
  /** Centre of the card. */
  readonly centre: Point;
}

/** The plane of one card by all its markers, or the reason why there is none. */
export interface CardReading {
  readonly card: CalibrationCard;
  readonly markerIds: readonly number[];
  readonly tiltDegrees: number | null;
  readonly outcome: CardPlane | MarkerRefusal;
  /** The card's edge in raster pixels; null where its markers do not say where it lies. */
  readonly outline: readonly Point[] | null;
}

/** Side of a marker, in raster pixels, below which its cells are hardly told apart. */
const LEAST_SIDE_PX = 20;
/** Markers smaller than this, in which no edge is found, are reported as too small. */
const LEAST_SHARP_SIDE_PX = 32;
/** One marker alone spans a fraction of the card: it has to be large to say as much. */
const LEAST_LONE_SIDE_PX = 40;
const MOST_TILT_DEGREES = 60;
/** A scale more uncertain than this is not used. */
const MOST_UNCERTAINTY_PCT = 6;
/** Of both markers' corners around one common plane: noise, and a share of a marker's side. */
const FIT_NOISE_PX = 0.6;
const FIT_SHARE = 0.008;
/** Each marker alone has to be as large as both together say. */
const SIDE_DISAGREEMENT = 0.03;
/** A wound is looked for so far from the middle of the card, as a share of its width, in saying what a bend does to areas. */
const BEND_REACH = 0.65;
/** A card by which areas are wrong by this share at least, whichever possible bend it has, is bent. */
const MOST_BENT_AREA = 0.05;
/** Edges of the pattern that lie further from every bend that was tried, and with fewer of them seen:
 * blood or a crease moved or hides some. Noise, and a share of a marker's side. */
const PATTERN_NOISE_PX = 0.3;
const PATTERN_SHARE = 0.002;
const LEAST_SEEN_PATTERN = 0.85;
/** Area to length, and 90 % of the cases to one standard deviation. */
const AREA_BOUND_TO_SD = 2 * NINETY_PERCENT;

/** @param barMm measured length of the check bar; undefined: not measured, so it counts as printed at 100 % */
export function readCard(
  card: CalibrationCard,
  markers: readonly CheckedMarker[],
  barMm: number | undefined,
  raster: PhotoRaster,
): CardReading {
  const markerIds = [...new Set(markers.map(({ id }) => id))].sort((a, b) => a - b);
  const reading = (
    outcome: CardPlane | MarkerRefusal,
    tiltDegrees: number | null = null,
    outline: CardReading['outline'] = null,
  ): CardReading => ({ card, markerIds, tiltDegrees, outcome, outline });
  const sound = soundOf(markers);
  if (sound.length === 0) return reading(faultOf(markers));
  // The same marker twice: two copies of the card, and either may lie in the plane of the skin.
  if (new Set(sound.map(({ id }) => id)).size < sound.length) return reading('contradictory');
  const side = Math.min(...sound.map(({ corners }) => sideOf(corners)));
  if (side < LEAST_SIDE_PX) return reading('too_small');
  const placed = placedOn(card, sound, barMm);
  const byCorners = fitCard(placed);
  if (byCorners === null) return reading('contradictory');
  const print = (barMm ?? card.barMm) / card.barMm;
  const centreMm: Point = [(card.widthMm / 2) * print, (card.heightMm / 2) * print];
  const edges = placed.flatMap(({ marker, corners, onCard }) => patternEdges(raster, marker, onCard, corners));
  const lone = sound.length === 1;
  // Four corners leave nothing to tell spreading ink from a larger marker; its cells do.
  const byPattern = lone ? planeOfPattern({ edges, fromMm: byCorners.fromMm, centreMm, frame: raster }) : null;
  const fit = { ...byCorners, ...byPattern };
  const tilt = tiltDegrees(fit.fromMm, centreMm);
  if (isContradictory(fit, side)) return reading('contradictory', tilt);
  const outline = outlineOf(card, print, fit);
  if (tilt > MOST_TILT_DEGREES) return reading('too_oblique', tilt, lone ? null : outline);
  if (lone && side < LEAST_LONE_SIDE_PX) return reading('cut_off', tilt);
  const uncertaintyPct = scaleUncertaintyPct(byCorners, {
    centreMm,
    reachMm: card.widthMm * print,
    corrected: barMm !== undefined,
    frame: raster,
  });
  if (uncertaintyPct > MOST_UNCERTAINTY_PCT) return reading(lone ? 'cut_off' : 'too_small', tilt);
  const bend = cardBend({ edges, ...fit, centreMm, reachMm: BEND_REACH * card.widthMm * print, frame: raster });
  if (isBent(bend) || (lone && isSmeared(bend, side, edges.length / patternPlaces(placed[0]!.marker))))
    return reading('contradictory', tilt, lone ? null : outline);
  const plane = {
    toMm: fit.toMm,
    uncertaintyPct: withBend(uncertaintyPct, bend),
    centre: project(fit.fromMm, centreMm),
  };
  return reading(plane, tilt, outline);
}

/** Beyond the limit of uncertainty, too: what a card may be bent by is said, and does not make a flat one useless. */
function withBend(uncertaintyPct: number, bend: ReturnType<typeof cardBend>): number {
  return Math.hypot(uncertaintyPct, (100 * (bend?.mostAreaChange ?? 0)) / AREA_BOUND_TO_SD);
}

interface SoundMarker extends Pick<CheckedMarker, 'id'> {
  readonly corners: RefinedMarker['corners'];
}

/** With where each is printed on the card. */
function placedOn(card: CalibrationCard, sound: readonly SoundMarker[], barMm: number | undefined) {
  return sound.map(({ id, corners }) => {
    const { marker } = cardOfMarker(id)!;
    return { marker, corners, onCard: markerCorners(card, marker, barMm) };
  });
}

/** The markers whose corners were found. */
function soundOf(markers: readonly CheckedMarker[]): SoundMarker[] {
  return markers.flatMap(({ id, refined }) => (typeof refined === 'string' ? [] : [{ id, corners: refined.corners }]));
}

/** Whichever of the possible bends it has, areas by its plane are far off. */
function isBent(bend: CardBend | null): boolean {
  return bend === null || bend.leastAreaChange > MOST_BENT_AREA;
}

/** By what remains of a lone marker's pattern: blood moved edges, or hides them. Of two markers, the distance between them stays right. */
function isSmeared(bend: CardBend | null, side: number, seenShare: number): boolean {
  return (bend?.errorPx ?? 0) > PATTERN_NOISE_PX + PATTERN_SHARE * side || seenShare < LEAST_SEEN_PATTERN;
}

export function isPlane(outcome: CardPlane | MarkerRefusal): outcome is CardPlane {
  return typeof outcome !== 'string';
}

/** No marker of the card could be measured: too small, bent out of its plane, or not whole. */
function faultOf(markers: readonly CheckedMarker[]): MarkerRefusal {
  if (markers.every(({ corners }) => sideOf(corners) < LEAST_SHARP_SIDE_PX)) return 'too_small';
  return markers.some(({ refined }) => refined === 'bent') ? 'contradictory' : 'cut_off';
}

/** Four corners always fit a plane; eight do so only where the card is flat and printed as it should be. */
function isContradictory({ fromMm, pairs, noisePx }: CardFit, side: number): boolean {
  if (pairs.length <= 4) return false;
  if (noisePx > FIT_NOISE_PX + FIT_SHARE * side) return true;
  for (let first = 0; first < pairs.length; first += 4) {
    const own = pairs.slice(first, first + 4);
    const seen = sideOf(own.map(({ to }) => to));
    const expected = sideOf(own.map(({ from }) => project(fromMm, from)));
    if (Math.abs(seen / expected - 1) > SIDE_DISAGREEMENT) return true;
  }
  return false;
}

function outlineOf({ widthMm, heightMm }: CalibrationCard, print: number, { fromMm }: CardFit): Point[] {
  const [width, height] = [widthMm * print, heightMm * print];
  return (
    [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ] as const
  ).map((corner) => project(fromMm, corner));
}

/** The angle between the card and the image plane: lengths along the turn shrink by its cosine. */
function tiltDegrees(fromMm: Matrix3, centreMm: Point): number {
  const { most, least } = stretchAt(fromMm, centreMm);
  return (Math.acos(Math.min(1, least / most)) * 180) / Math.PI;
}
