import { drawMap, ellipse, ellipseWithHole, place } from '../../../test/support/drawn-shapes.js';
import { measureWounds } from './measure-wounds.js';
import { clientScale } from './plane-scale.js';

const RULES = { threshold: 0.5, minAreaShare: 0.0003 };
const square = (size: number) => ({ widthPx: size, heightPx: size });
const inTheMiddle = place(ellipse(60, 40), 0, 128);

describe('measureWounds', () => {
  it('finds nothing where no pixel reaches the threshold', () => {
    expect(
      measureWounds(
        drawMap(64, () => -1),
        square(64),
        RULES,
        clientScale(0.2),
      ),
    ).toEqual([]);
  });

  it('leaves out specks below the least area', () => {
    const speck = drawMap(256, place(ellipse(2, 2), 0, 128).depth);
    expect(measureWounds(speck, square(256), RULES, null)).toEqual([]);
  });

  it('leaves out what the calibration says is hardly a wound, where the rules say so', () => {
    const map = drawMap(256, inTheMiddle.depth);
    const confidence = {
      wound: { intercept: -9, meanLogit: 0, logAreaShare: 0 },
      photo: { intercept: 0, peakLogit: 1 },
    };
    expect(measureWounds(map, square(256), { ...RULES, confidence }, null)).toHaveLength(1);
    expect(
      measureWounds(map, square(256), { ...RULES, confidence: { ...confidence, reportFrom: 0.01 } }, null),
    ).toEqual([]);
  });

  it('gives no centimetres without a scale', () => {
    const [wound] = measureWounds(drawMap(256, inTheMiddle.depth), square(256), RULES, null);
    expect(wound?.area.cm2).toBeNull();
    expect(wound?.length.cm).toBeNull();
    expect(wound?.width.cm).toBeNull();
    expect(wound?.perimeter.cm).toBeNull();
  });

  it('turns pixels into centimetres by the scale: 0.5 mm a pixel makes 400 px² one square centimetre', () => {
    const [wound] = measureWounds(drawMap(256, inTheMiddle.depth), square(256), RULES, clientScale(0.5));
    expect(wound!.area.cm2!.value).toBeCloseTo(wound!.area.pixels / 400, 1);
    expect(wound!.length.cm!.value).toBeCloseTo(wound!.length.pixels / 20, 1);
  });

  it('subtracts a hole from the area and keeps it as a second ring', () => {
    const [wound] = measureWounds(
      drawMap(256, place(ellipseWithHole(60, 60, 20), 0, 128).depth),
      square(256),
      RULES,
      null,
    );
    expect(wound!.contour.coordinates).toHaveLength(2);
    expect(Math.abs(wound!.area.pixels / (Math.PI * 3200) - 1)).toBeLessThan(0.01);
    expect(wound!.perimeter.pixels).toBeLessThan(2 * Math.PI * 60 * 1.015);
  });

  it('lists several wounds with the largest first', () => {
    const [small, large] = [place(ellipse(15, 15), 0, 60), place(ellipse(40, 30), 0, 170)];
    const wounds = measureWounds(
      drawMap(256, (x, y) => Math.max(small.depth(x, y), large.depth(x, y))),
      square(256),
      RULES,
      null,
    );
    expect(wounds.map((wound) => wound.index)).toEqual([0, 1]);
    expect(wounds[0]!.area.pixels).toBeGreaterThan(wounds[1]!.area.pixels);
  });

  it('answers closed rings inside the photo, in pixels of the photo and not of the map', () => {
    const content = { x: 0, y: 64, width: 256, height: 128 };
    const [wound] = measureWounds(
      drawMap(256, inTheMiddle.depth, { content }),
      { widthPx: 1024, heightPx: 512 },
      RULES,
      null,
    );
    const ring = wound!.contour.coordinates[0]!;
    expect(ring[0]).toEqual(ring[ring.length - 1]);
    expect(wound!.boundingBox.x).toBeCloseTo((128 - 60) * 4, 0);
    expect(wound!.boundingBox.y).toBeCloseTo((128 - 40 - 64) * 4, 0);
    expect(wound!.area.pixels / (16 * Math.PI * 60 * 40)).toBeCloseTo(1, 2);
  });

  it('places a wound rightly that was looked at in a part of the photo', () => {
    // The map shows a quarter of the photo: the photo itself goes beyond the map on every side.
    const content = { x: -100, y: -50, width: 512, height: 512 };
    const [wound] = measureWounds(drawMap(256, inTheMiddle.depth, { content }), square(1024), RULES, null);
    expect(wound!.boundingBox.x).toBeCloseTo((100 + 128 - 60) * 2, 0);
    expect(wound!.boundingBox.y).toBeCloseTo((50 + 128 - 40) * 2, 0);
  });

  it('closes the outline of a wound that fills the photo at its border', () => {
    const [wound] = measureWounds(
      drawMap(64, () => 9),
      square(64),
      RULES,
      null,
    );
    expect(wound!.area.pixels).toBeGreaterThan(64 * 64 * 0.98);
    expect(wound!.area.pixels).toBeLessThanOrEqual(64 * 64);
  });
});
