import { cardLight, CARD, INK } from '../../../scripts/demo-series/printed-card.mjs';
import { CALIBRATION_CARDS } from '../../../src/core/calibration/calibration-card.js';
import { findCalibrationCard } from '../../../src/inference/imaging/markers/find-calibration-card.js';
import { readPhotoRaster } from '../../../src/inference/imaging/photo-raster.js';
import { INK as TRUE_INK, printedCard } from '../../support/card-scene.js';
import { onPlane } from '../../support/tilted-view.js';
import { drawWeek, WOUND_COURSE } from '../../support/wound-series.js';

const { abs } = Math;
const CARD_OF_SERVICE = CALIBRATION_CARDS.credit_card;

/** Shoelace formula; the outline goes round once. */
function areaOf(points: readonly (readonly [number, number])[]): number {
  const twice = points.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return abs(twice) / 2;
}

describe('the drawn wound', () => {
  it('shrinks from week to week, by less than half in four weeks', () => {
    const areas = WOUND_COURSE.map(({ areaCm2 }) => areaCm2);
    expect(areas).toHaveLength(8);
    expect([...areas].sort((a, b) => b - a)).toEqual(areas);
    expect(areas[4]! / areas[0]!).toBeGreaterThan(0.5);
  });

  it('has the area that it says, by formula and along its border', () => {
    for (const { areaCm2, outline } of WOUND_COURSE) {
      expect(abs(areaOf(outline.points(2000)) / 100 / areaCm2 - 1)).toBeLessThan(0.0005);
      for (const [x, y] of outline.points(40)) expect(abs(outline.depthMm(x, y))).toBeLessThan(0.001);
    }
  });
});

describe('the drawn calibration card', () => {
  it('has the service’s own size, markers and check bar', () => {
    expect(CARD).toEqual({ widthMm: CARD_OF_SERVICE.widthMm, heightMm: CARD_OF_SERVICE.heightMm });
    const truth = printedCard(CARD_OF_SERVICE);
    for (const { corner } of CARD_OF_SERVICE.markers) {
      for (let x = corner[0] - 0.75; x < corner[0] + CARD_OF_SERVICE.markerMm + 1; x += 0.5) {
        for (let y = corner[1] - 0.75; y < corner[1] + CARD_OF_SERVICE.markerMm + 1; y += 0.5) {
          expect([x, y, cardLight(x, y) === INK]).toEqual([x, y, truth(x, y) === TRUE_INK]);
        }
      }
    }
    const inked = Array.from({ length: 8560 }, (_, step) => step / 100).filter((x) => cardLight(x, 43.5) === INK);
    expect(inked.length / 100).toBeCloseTo(CARD_OF_SERVICE.barMm, 1);
  });

  it.each([4, 6, 8])('gives the photo of week %i the true scale at the wound, seen from the side', async (week) => {
    const { jpeg, areaCm2, outlinePx } = await drawWeek(WOUND_COURSE[week - 1]!);
    const { scale, finding } = await findCalibrationCard(await readPhotoRaster(jpeg, 1e7), null);
    expect(finding).toMatchObject({ card: 'credit_card', status: 'used' });
    const areaMm2 = areaOf(outlinePx().map(([x, y]) => onPlane(scale!.toMm, x, y)));
    expect(abs(areaMm2 / 100 / areaCm2 - 1)).toBeLessThan(0.01);
  });
});
