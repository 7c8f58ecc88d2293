import {
  CALIBRATION_CARDS,
  type CalibrationCard,
  type CardMarker,
} from '../../../../src/core/calibration/calibration-card.js';
import { mmPerPixelAt, toMillimetres, type PlaneScale } from '../../../../src/core/measurement/plane-scale.js';
import {
  disc,
  INK,
  PAPER,
  photograph,
  printedCard,
  sheet,
  SKIN,
  viewOf,
  type CardView,
  type Thing,
  type ViewOptions,
} from '../../../support/card-scene.js';
import { roundsOf } from '../../../support/rounds.js';
import {
  findCalibrationCard,
  prepareCardSearch,
} from '../../../../src/inference/imaging/markers/find-calibration-card.js';
import { invert, project, type Point } from '../../../../src/inference/imaging/markers/homography.js';

const A4 = CALIBRATION_CARDS.a4;
const SMALL = CALIBRATION_CARDS.credit_card;
/** What a telephone's picture brings with it. */
const FLAWS = { noise: 3, blur: 1, jpeg: 80 };
const NOTHING = { scale: null, finding: null, correctedBarMm: null, outlines: [] };

const middleOf = (card: CalibrationCard): Point => [card.widthMm / 2, card.heightMm / 2];
const viewOn = (card: CalibrationCard, wish: Partial<ViewOptions> & { readonly distanceMm: number }): CardView =>
  viewOf({ width: 1000, height: 750, aimMm: [card.widthMm / 2, card.heightMm * 0.7], ...wish });

/** Error of the found scale at a place on the plane, in %. */
function errorPct(found: PlaneScale | null, view: CardView, place: Point): number {
  const truth: PlaneScale = { source: 'marker', toMm: invert(view.fromMm)!, uncertaintyPct: 0 };
  const pixel = project(view.fromMm, place);
  return found === null ? NaN : 100 * (mmPerPixelAt(found, pixel) / mmPerPixelAt(truth, pixel) - 1);
}

/** Area of a disc on the plane as the found scale measures its true outline in the photo, in mm². */
function measuredDiscMm2(found: PlaneScale | null, view: CardView, centre: Point, radiusMm: number): number {
  const corners = 720;
  const ring = Array.from({ length: corners }, (_, index): Point => {
    const angle = (2 * Math.PI * index) / corners;
    return found === null
      ? [NaN, NaN]
      : toMillimetres(
          found,
          project(view.fromMm, [centre[0] + radiusMm * Math.cos(angle), centre[1] + radiusMm * Math.sin(angle)]),
        );
  });
  const doubled = ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % corners]!;
    return sum + x * nextY - y * nextX;
  }, 0);
  return doubled / 2;
}

/** The print of one marker, and something else in the place of the other. */
const onlyLeft = (card: CalibrationCard): Thing => printedCard(card, { markers: [card.markers[0]] });

beforeAll(() => prepareCardSearch(), 60_000);

describe('a photo whose card must not be used', () => {
  it('finds nothing on skin without a card', async () => {
    expect(
      await findCalibrationCard(await photograph(viewOn(A4, { distanceMm: 400 }), [disc([95, 60], 20)], FLAWS), null),
    ).toEqual(NOTHING);
  });

  it('finds nothing in markers of another dictionary', async () => {
    const wider: Thing = (x, y) => {
      const [column, row] = [Math.floor(x / 5), Math.floor(y / 5)];
      if (column < -1 || row < -1 || column > 7 || row > 7) return null;
      if (column < 0 || row < 0 || column > 6 || row > 6) return PAPER;
      // ArUco original, five by five cells, id 0.
      return column > 0 && column < 6 && row > 0 && row < 6 && '10000'[column - 1] === '1' ? PAPER : INK;
    };
    expect(
      await findCalibrationCard(
        await photograph(viewOf({ width: 800, height: 600, distanceMm: 150, aimMm: [17, 17] }), [wider], FLAWS),
        null,
      ),
    ).toEqual(NOTHING);
  });

  it('finds nothing in a mirrored card', async () => {
    const straight = printedCard(A4);
    const mirrored: Thing = (x, y) => straight(A4.widthMm - x, y);
    expect(
      await findCalibrationCard(await photograph(viewOn(A4, { distanceMm: 300 }), [mirrored], FLAWS), null),
    ).toEqual(NOTHING);
  });

  it('names a marker of another sheet, and does not use it', async () => {
    const stranger: CardMarker = { id: 1, code: ['0000', '1111', '1001', '1010'], corner: [8, 8] };
    const found = await findCalibrationCard(
      await photograph(viewOn(A4, { distanceMm: 300 }), [printedCard(A4, { markers: [stranger] })], FLAWS),
      null,
    );
    expect(found).toEqual({
      ...NOTHING,
      finding: { status: 'refused', card: null, markerIds: [1], tiltDegrees: null, reason: 'unknown_marker' },
    });
  });

  it('refuses a card of which the photo’s border cut one marker off, where the other is not large', async () => {
    const view = viewOf({ width: 1000, height: 750, distanceMm: 900, aimMm: [A4.markers[0].corner[0] + 20 - 460, 40] });
    const found = await findCalibrationCard(await photograph(view, [printedCard(A4)], FLAWS), null);
    expect(found).toMatchObject({
      scale: null,
      finding: { status: 'refused', card: 'a4', markerIds: [15], reason: 'cut_off' },
    });
  });

  it('refuses a card of which one marker is covered, where the other is not large', async () => {
    const [left, top] = A4.markers[1].corner;
    const glove = sheet([left - 2, top - 10], 20, 70, [0.2, 0.3, 0.6]);
    const found = await findCalibrationCard(
      await photograph(viewOn(A4, { distanceMm: 700 }), [glove, printedCard(A4)], FLAWS),
      null,
    );
    expect(found).toMatchObject({ scale: null, finding: { status: 'refused', card: 'a4', reason: 'cut_off' } });
  });

  it('refuses a card that is too small in the photo', async () => {
    const found = await findCalibrationCard(
      await photograph(viewOn(SMALL, { distanceMm: 900 }), [printedCard(SMALL)], { jpeg: 95 }),
      null,
    );
    expect(found).toMatchObject({
      scale: null,
      finding: { status: 'refused', card: 'credit_card', reason: 'too_small' },
    });
  });

  it('refuses a view beyond 60 degrees', async () => {
    const found = await findCalibrationCard(
      await photograph(viewOn(A4, { distanceMm: 300, tiltDegrees: 67 }), [printedCard(A4)], FLAWS),
      null,
    );
    expect(found).toMatchObject({ scale: null, finding: { status: 'refused', reason: 'too_oblique' } });
    expect(found.finding?.tiltDegrees).toBeGreaterThan(60);
  });

  it('refuses markers that were put together at another distance', async () => {
    const [left, right] = A4.markers;
    const moved: CardMarker = { ...right, corner: [right.corner[0] - 12, right.corner[1]] };
    const found = await findCalibrationCard(
      await photograph(viewOn(A4, { distanceMm: 300 }), [printedCard(A4, { markers: [left, moved] })], FLAWS),
      null,
    );
    expect(found).toMatchObject({
      scale: null,
      finding: { status: 'refused', markerIds: [15, 23], reason: 'contradictory' },
    });
  });

  it('refuses a card whose markers are of two prints', async () => {
    const [left, right] = A4.markers;
    const other = printedCard(A4, { print: 0.9, at: [0.1 * right.corner[0], 0], markers: [right] });
    const cut: Thing = (x, y) => (x > 95 ? other(x, y) : printedCard(A4, { markers: [left] })(x, y));
    const found = await findCalibrationCard(await photograph(viewOn(A4, { distanceMm: 300 }), [cut], FLAWS), null);
    expect(found).toMatchObject({ scale: null, finding: { status: 'refused', reason: 'contradictory' } });
  });

  it('refuses a card that is bent around a limb', async () => {
    const flat = printedCard(A4);
    const radiusMm = 110;
    const bent: Thing = (x, y) => {
      const across = (x - A4.widthMm / 2) / radiusMm;
      return Math.abs(across) >= 1 ? null : flat(A4.widthMm / 2 + radiusMm * Math.asin(across), y);
    };
    const found = await findCalibrationCard(await photograph(viewOn(A4, { distanceMm: 300 }), [bent], FLAWS), null);
    expect(found).toMatchObject({ scale: null, finding: { status: 'refused', card: 'a4', reason: 'contradictory' } });
  });

  it('refuses two copies of a card', async () => {
    const copies = [printedCard(SMALL), printedCard(SMALL, { at: [0, 70] })];
    const found = await findCalibrationCard(
      await photograph(viewOn(SMALL, { distanceMm: 250, aimMm: [43, 62] }), copies, FLAWS),
      null,
    );
    expect(found).toMatchObject({
      scale: null,
      finding: { status: 'refused', markerIds: [25, 43], reason: 'contradictory' },
    });
  });

  it('refuses two cards of different sizes that disagree', async () => {
    const cards = [printedCard(A4), printedCard(SMALL, { at: [50, 100], print: 1.15 })];
    const found = await findCalibrationCard(await photograph(viewOn(A4, { distanceMm: 300 }), cards, FLAWS), null);
    expect(found).toMatchObject({
      scale: null,
      finding: { status: 'refused', markerIds: [15, 23, 25, 43], reason: 'contradictory' },
    });
  });
});

describe('the scale of a card', () => {
  const TILTS = [
    { tiltDegrees: 0, turnDegrees: 8 },
    { tiltDegrees: 20, tiltAxisDegrees: 130, turnDegrees: 100 },
    { tiltDegrees: 45, tiltAxisDegrees: 0, turnDegrees: 200 },
    { tiltDegrees: 45, tiltAxisDegrees: 90, turnDegrees: 290 },
  ];

  const VIEWS = [
    ...[240, 320, 400, 520, 680].map((distanceMm) => ['large', distanceMm] as const),
    ...[110, 145, 185, 240, 310].map((distanceMm) => ['small', distanceMm] as const),
  ];
  /** Each distance from as many of the tilts as there are rounds for; all of them take turns. */
  const tiltsOf = (view: number) =>
    TILTS.map((_, turn) => TILTS[(view + turn) % TILTS.length]!).slice(0, roundsOf(TILTS.length));

  it.each(VIEWS.map(([name, distanceMm], view) => [name, distanceMm, tiltsOf(view)] as const))(
    'of a %s card is right within 1 %, and areas within 3 %, upright and up to 45 degrees (%i mm away)',
    async (name, distanceMm, tilts) => {
      const card = name === 'large' ? A4 : SMALL;
      for (const tilt of tilts) {
        const radiusMm = card.widthMm * 0.1;
        const wound: Point = [card.widthMm / 2, card.heightMm + 1.5 * radiusMm];
        const view = viewOn(card, { distanceMm, ...tilt });
        const { scale, finding } = await findCalibrationCard(
          await photograph(view, [printedCard(card), disc(wound, radiusMm)], FLAWS),
          null,
        );
        expect(finding).toMatchObject({
          status: 'used',
          card: card.size,
          markerIds: card.markers.map(({ id }) => id),
          reason: null,
        });
        expect(Math.abs(finding!.tiltDegrees! - tilt.tiltDegrees)).toBeLessThan(8);
        for (const place of [middleOf(card), wound]) expect(Math.abs(errorPct(scale, view, place))).toBeLessThan(1);
        expect(Math.abs(measuredDiscMm2(scale, view, wound, radiusMm) / (Math.PI * radiusMm ** 2) - 1)).toBeLessThan(
          0.03,
        );
        expect(Math.abs(errorPct(scale, view, wound))).toBeLessThan(2 * scale!.uncertaintyPct);
      }
    },
  );

  it('holds in a blurred, noisy, badly lit photo with strong compression', async () => {
    const view = viewOn(A4, { distanceMm: 320, tiltDegrees: 30, tiltAxisDegrees: 20, turnDegrees: 15 });
    const { scale } = await findCalibrationCard(
      await photograph(view, [printedCard(A4)], { noise: 6, blur: 2, jpeg: 55, shade: 0.35 }),
      null,
    );
    expect(Math.abs(errorPct(scale, view, middleOf(A4)))).toBeLessThan(1);
  });

  it('follows a stored correction of the print', async () => {
    const view = viewOn(A4, { distanceMm: 320 });
    const raster = await photograph(view, [printedCard(A4, { print: 0.95 })], FLAWS);
    const plain = await findCalibrationCard(raster, { credit_card: 76 });
    const corrected = await findCalibrationCard(raster, { a4: 95 });
    expect(errorPct(plain.scale, view, middleOf(A4))).toBeCloseTo(100 * (1 / 0.95 - 1), 0);
    expect(Math.abs(errorPct(corrected.scale, view, middleOf(A4)))).toBeLessThan(1);
    expect([plain.correctedBarMm, corrected.correctedBarMm]).toEqual([null, 95]);
    expect(corrected.scale!.uncertaintyPct).toBeLessThan(plain.scale!.uncertaintyPct);
  });

  it('is of the oriented photo’s pixels where the raster is a smaller copy', async () => {
    const view = viewOn(A4, { distanceMm: 320 });
    const raster = await photograph(view, [printedCard(A4)], FLAWS);
    const whole = await findCalibrationCard(raster, null);
    const reduced = await findCalibrationCard({ ...raster, photo: { widthPx: 4000, heightPx: 3000 } }, null);
    expect(mmPerPixelAt(reduced.scale!, [2000, 1500])).toBeCloseTo(mmPerPixelAt(whole.scale!, [500, 375]) / 4, 6);
  });

  it('comes with the edge of the card, so that nothing on it is taken for skin', async () => {
    const view = viewOn(A4, { distanceMm: 320, tiltDegrees: 40, tiltAxisDegrees: 70 });
    const { outlines } = await findCalibrationCard(
      { ...(await photograph(view, [printedCard(A4)], FLAWS)), photo: { widthPx: 2000, heightPx: 1500 } },
      null,
    );
    expect(outlines).toHaveLength(1);
    (
      [
        [0, 0],
        [190, 0],
        [190, 84],
        [0, 84],
      ] as const
    ).forEach((corner, index) => {
      const [x, y] = project(view.fromMm, corner);
      expect(Math.hypot(outlines[0]![index]![0] - 2 * x, outlines[0]![index]![1] - 2 * y)).toBeLessThan(3);
    });
  });

  it('comes from one large marker too, with more uncertainty', async () => {
    const view = viewOn(A4, { distanceMm: 190, turnDegrees: 6 });
    const both = await findCalibrationCard(await photograph(view, [printedCard(A4)], FLAWS), null);
    const lone = await findCalibrationCard(await photograph(view, [onlyLeft(A4)], FLAWS), null);
    expect(lone.finding).toMatchObject({ status: 'used', card: 'a4', markerIds: [15] });
    expect(lone.scale!.uncertaintyPct).toBeGreaterThan(both.scale!.uncertaintyPct);
    expect(Math.abs(errorPct(lone.scale, view, middleOf(A4)))).toBeLessThan(2 * lone.scale!.uncertaintyPct);
  });

  it('comes from the better one of two cards that agree', async () => {
    const cards = [printedCard(A4), printedCard(SMALL, { at: [50, 100] })];
    const view = viewOn(A4, { distanceMm: 320, aimMm: [95, 80] });
    const { scale, finding } = await findCalibrationCard(await photograph(view, cards, FLAWS), null);
    expect(finding).toMatchObject({ status: 'used', card: 'a4' });
    expect(Math.abs(errorPct(scale, view, [93, 125]))).toBeLessThan(1);
  });

  it('ignores markers of other sheets beside the card', async () => {
    const stranger: CardMarker = { id: 1, code: ['0000', '1111', '1001', '1010'], corner: [8, 8] };
    const cards = [printedCard(A4), printedCard(SMALL, { at: [50, 95], markers: [stranger] })];
    const { finding } = await findCalibrationCard(
      await photograph(viewOn(A4, { distanceMm: 320, aimMm: [95, 80] }), cards, FLAWS),
      null,
    );
    expect(finding).toMatchObject({ status: 'used', card: 'a4', markerIds: [15, 23] });
  });

  it('survives a card on dark cloth', async () => {
    const cloth = sheet([-200, -200], 600, 600, [0.02, 0.03, 0.05]);
    const view = viewOn(SMALL, { distanceMm: 180, turnDegrees: 30 });
    const { scale } = await findCalibrationCard(
      await photograph(view, [printedCard(SMALL), disc([43, 75], 12, SKIN), cloth], FLAWS),
      null,
    );
    expect(Math.abs(errorPct(scale, view, middleOf(SMALL)))).toBeLessThan(1);
  });
});
