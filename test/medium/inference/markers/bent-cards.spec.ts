import { CALIBRATION_CARDS, type CalibrationCard } from '../../../../src/core/calibration/calibration-card.js';
import { NINETY_PERCENT } from '../../../../src/core/measurement/interval.js';
import { toMillimetres, type PlaneScale } from '../../../../src/core/measurement/plane-scale.js';
import { printedCard, sheet, type Light, type Thing } from '../../../support/card-scene.js';
import { besideAlongLimb, photographLimb, ringArea, ringOnSkin, type LimbView } from '../../../support/limb-scene.js';
import { roundsOf } from '../../../support/rounds.js';
import {
  findCalibrationCard,
  prepareCardSearch,
} from '../../../../src/inference/imaging/markers/find-calibration-card.js';
import type { Point } from '../../../../src/inference/imaging/markers/homography.js';

const { a4: A4, credit_card: SMALL } = CALIBRATION_CARDS;
const GLOVE: Light = [0.2, 0.3, 0.6];
const BLOOD: Light = [0.12, 0.008, 0.008];
const FLAWS = [
  { noise: 3, blur: 1, jpeg: 80 },
  { noise: 6, blur: 2, jpeg: 55, shade: 0.4 },
];
const TILTS = [
  [0, 0],
  [15, 20],
  [30, 90],
  [30, 0],
  [50, 60],
] as const;

interface Shot {
  readonly card: CalibrationCard;
  readonly radiusMm: number;
  /** One marker is hidden by a glove. */
  readonly isLone: boolean;
  readonly view: LimbView;
  /** Of a wound beside the card along the limb. */
  readonly place: Point;
  readonly woundMm: number;
}

/** Every radius, card and direction of the limb in turn, each from another distance and side. */
function shotsAt(radiusMm: number): Shot[] {
  const all = [SMALL, A4].flatMap((card) =>
    [90, 0, 45].flatMap((limb) => TILTS.map((tilt) => [card, limb, tilt] as const)),
  );
  // 7 is coprime to their number: few of them are a fair share of all.
  return Array.from({ length: roundsOf(all.length, 4) }, (_, round) => {
    const [card, limbDegrees, [tiltDegrees, tiltAxisDegrees]] = all[(round * 7) % all.length]!;
    const woundMm = card.markerMm * 0.45;
    const place = besideAlongLimb(card, limbDegrees, woundMm * 1.4);
    const middle: Point = [card.widthMm / 2, card.heightMm / 2];
    const view = {
      width: 800,
      height: 600,
      radiusMm,
      limbDegrees,
      distanceMm: (card === A4 ? [260, 340, 420] : [120, 150, 190])[round % 3]!,
      tiltDegrees,
      tiltAxisDegrees,
      turnDegrees: (round * 37) % 360,
      topMm: middle,
      aimMm: [middle[0] * 0.65 + place[0] * 0.35, middle[1] * 0.65 + place[1] * 0.35] as const,
    };
    return { card, radiusMm, isLone: round % 2 === 1, view, place, woundMm };
  });
}

async function lookAt({ card, isLone, view, place, woundMm }: Shot, round: number) {
  const { corner } = card.markers[round % 4 < 2 ? 0 : 1];
  const glove = sheet([corner[0] - 2, -10], card.markerMm / 2, 200, GLOVE);
  const things = isLone ? [glove, printedCard(card)] : [printedCard(card)];
  const found = await findCalibrationCard(await photographLimb(view, things, FLAWS[round % 2]!), null);
  return { ...found, error: areaError(found.scale, view, place, woundMm) };
}

/** Logarithm of a measured by the true area of a wound on the skin; null without a scale. */
function areaError(scale: PlaneScale | null, view: LimbView, place: Point, woundMm: number): number | null {
  if (scale === null) return null;
  const ring = ringOnSkin(view, place, woundMm).map((point) => toMillimetres(scale, point));
  return Math.log(ringArea(ring) / (Math.PI * woundMm ** 2));
}

const holds = (scale: PlaneScale, error: number): boolean =>
  Math.abs(error) <= (2 * NINETY_PERCENT * scale.uncertaintyPct) / 100;

beforeAll(() => prepareCardSearch(), 60_000);

describe('a card on a limb', () => {
  it.each([200, 120, 80, 56, 40, 30])(
    'of %i mm radius is refused, or its bounds hold the true area',
    async (radiusMm) => {
      const looks = await Promise.all(shotsAt(radiusMm).map(lookAt));
      const used = looks.flatMap(({ scale, error }) => (scale === null || error === null ? [] : [holds(scale, error)]));
      expect(used.filter((held) => !held).length).toBeLessThanOrEqual(0.1 * used.length);
      for (const { scale, finding } of looks)
        if (scale === null && finding !== null) expect(finding.status).toBe('refused');
    },
  );

  it('is refused where it bends so much that one marker alone is seen, and areas would be a third too large', async () => {
    const looks = await Promise.all(
      shotsAt(40)
        .map((shot) => ({ ...shot, view: { ...shot.view, limbDegrees: 90, tiltDegrees: 0 } }))
        .filter(({ card }) => card === SMALL)
        .map(lookAt),
    );
    for (const { finding, scale } of looks) {
      expect(scale).toBeNull();
      expect(finding?.status ?? 'refused').toBe('refused');
    }
  });
});

describe('a flat card', () => {
  it('is used at any tilt up to 50 degrees, and its bounds hold', async () => {
    const looks = await Promise.all(
      shotsAt(Infinity)
        .map((shot) => ({ ...shot, isLone: false }))
        .map(lookAt),
    );
    for (const { scale, error, finding } of looks) {
      expect(finding).toMatchObject({ status: 'used', reason: null });
      expect(scale!.uncertaintyPct).toBeLessThan(2.5);
      expect(Math.abs(error!)).toBeLessThan(0.02);
    }
  });

  it('of which a glove hides one marker is used by the cells of the other, and says how little that is', async () => {
    const looks = await Promise.all(
      shotsAt(Infinity)
        .filter(({ view, card }) => view.distanceMm < (card === A4 ? 400 : 170))
        .map((shot) => ({ ...shot, isLone: true }))
        .map(lookAt),
    );
    for (const { scale, error, finding } of looks) {
      expect(finding).toMatchObject({ status: 'used' });
      expect(finding!.markerIds).toHaveLength(1);
      expect(Math.abs(error!)).toBeLessThan(0.04);
      expect(scale!.uncertaintyPct).toBeGreaterThan(2.5);
    }
  });

  it('is used through a lens that draws straight lines a little bent', async () => {
    for (const barrel of [0.01, -0.02].slice(0, roundsOf(2))) {
      const looks = await Promise.all(
        shotsAt(Infinity)
          .map((shot) => ({ ...shot, isLone: false, view: { ...shot.view, barrel } }))
          .map(lookAt),
      );
      for (const { finding } of looks) expect(finding).toMatchObject({ status: 'used' });
    }
  });

  it('with blood along an edge of both markers is refused, or its bounds hold the true area', async () => {
    const rounds = roundsOf(60, 6);
    const looks = await Promise.all(
      Array.from({ length: rounds }, async (_, round) => {
        const blood = SMALL.markers.map(({ corner: [x, y] }, marker): Thing => {
          const beyond = 0.4 + ((round * 3 + marker) % 7) * 0.25;
          const edge = (round + marker) % 4;
          return (px, py) => {
            const [u, v, side] = [px - x, py - y, SMALL.markerMm];
            const depth = [u, side - u, v, side - v][edge]!;
            const along = edge < 2 ? v : u;
            return depth < 0.5 && depth > -beyond && along > -0.5 && along < side + 0.5 ? BLOOD : null;
          };
        });
        const [shot] = shotsAt(Infinity).filter(({ card }) => card === SMALL);
        const view = {
          ...shot!.view,
          distanceMm: 140 + (round % 5) * 18,
          tiltDegrees: (round * 5) % 25,
          turnDegrees: (round * 53) % 360,
        };
        const { scale } = await findCalibrationCard(
          await photographLimb(view, [...blood, printedCard(SMALL)], FLAWS[0]!),
          null,
        );
        const error = areaError(scale, view, shot!.place, shot!.woundMm);
        return scale === null || error === null || holds(scale, error);
      }),
    );
    expect(looks.filter((held) => !held).length).toBeLessThanOrEqual(0.05 * rounds);
  });
});
