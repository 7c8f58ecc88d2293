import { assembleWoundResult } from './assemble-result.js';
import { measureWounds } from './measure-wounds.js';
import { clientScale } from './plane-scale.js';
import type { ProbabilityMap } from './probability-map.js';
import { chooseScale } from './scale-choice.js';
import { photoConfidence } from './wound-confidence.js';

/** A soft-edged drawing, as a model's output is: 1 inside, 0 outside, linear over one pixel at the border. */
function draw(size: number, distanceInside: (x: number, y: number) => number, content = { x: 0, y: 0, width: size, height: size }): ProbabilityMap {
  const values = new Float32Array(size * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      values[row * size + column] = Math.min(1, Math.max(0, distanceInside(column + 0.5, row + 0.5) + 0.5));
    }
  }
  return { width: size, height: size, values, content };
}

const RULES = { threshold: 0.5, minAreaShare: 0.0003 };
const FIGURES = { sharpness: 1, exposure: 55, highlight: 80, darkShare: 0, clippedShare: 0, glareShare: 0 };
const ROTATIONS = [0, 10, 22.5, 30, 45, 60, 77, 90];
const square = (size: number) => ({ widthPx: size, heightPx: size });

function ellipse(semiX: number, semiY: number, degrees: number, centre = 128) {
  const angle = (degrees * Math.PI) / 180;
  return (x: number, y: number) => {
    const [dx, dy] = [x - centre, y - centre];
    const u = (dx * Math.cos(angle) + dy * Math.sin(angle)) / semiX;
    const v = (-dx * Math.sin(angle) + dy * Math.cos(angle)) / semiY;
    const r = Math.hypot(u, v);
    const gradient = Math.hypot(u / semiX, v / semiY) / (r || 1);
    return (1 - r) / (gradient || 1);
  };
}

function ellipsePerimeter(a: number, b: number): number {
  const h = ((a - b) / (a + b)) ** 2;
  return Math.PI * (a + b) * (1 + (3 * h) / (10 + Math.sqrt(4 - 3 * h)));
}

describe('measureWounds', () => {
  it('finds nothing where no pixel reaches the threshold', () => {
    expect(measureWounds(draw(64, () => -1), square(64), RULES, clientScale(0.2))).toEqual([]);
  });

  it('leaves out specks below the least area', () => {
    const speck = draw(256, ellipse(2, 2, 0));
    expect(measureWounds(speck, square(256), RULES, null)).toEqual([]);
  });

  it('gives no centimetres without a scale', () => {
    const [wound] = measureWounds(draw(256, ellipse(60, 40, 0)), square(256), RULES, null);
    expect(wound?.area.cm2).toBeNull();
    expect(wound?.length.cm).toBeNull();
    expect(wound?.width.cm).toBeNull();
    expect(wound?.perimeter.cm).toBeNull();
  });

  const sizes = [12, 25, 50, 75, 100];
  it.each(sizes.flatMap((semi) => ROTATIONS.map((degrees) => [semi, degrees] as const)))(
    'measures an ellipse of half-length %d px turned by %d° within 1 %% of its area and 1.5 %% of its lengths',
    (semi, degrees) => {
      const [a, b] = [semi, semi * 0.6];
      const [wound] = measureWounds(draw(256, ellipse(a, b, degrees)), square(256), RULES, clientScale(0.5));
      expect(wound).toBeDefined();
      const within = (found: number, truth: number, share: number) => expect(Math.abs(found - truth) / truth).toBeLessThanOrEqual(share);
      within(wound!.area.pixels, Math.PI * a * b, 0.01);
      within(wound!.length.pixels, 2 * a, 0.015);
      within(wound!.width.pixels, 2 * b, 0.015);
      within(wound!.perimeter.pixels, ellipsePerimeter(a, b), 0.015);
    },
  );

  it('turns pixels into centimetres by the scale: 0.5 mm a pixel makes 400 px² one square centimetre', () => {
    const [wound] = measureWounds(draw(256, ellipse(60, 40, 0)), square(256), RULES, clientScale(0.5));
    expect(wound!.area.cm2!.value).toBeCloseTo(wound!.area.pixels / 400, 1);
    expect(wound!.length.cm!.value).toBeCloseTo(wound!.length.pixels / 20, 1);
  });

  it('subtracts a hole from the area and keeps it as a second ring', () => {
    const outer = ellipse(60, 60, 0);
    const inner = ellipse(20, 20, 0);
    const [wound] = measureWounds(draw(256, (x, y) => Math.min(outer(x, y), -inner(x, y))), square(256), RULES, null);
    expect(wound!.contour.coordinates).toHaveLength(2);
    expect(Math.abs(wound!.area.pixels - Math.PI * (3600 - 400)) / (Math.PI * 3200)).toBeLessThan(0.01);
    expect(wound!.perimeter.pixels).toBeLessThan(2 * Math.PI * 60 * 1.015);
  });

  it('lists several wounds with the largest first', () => {
    const small = ellipse(15, 15, 0, 60);
    const large = ellipse(40, 30, 0, 170);
    const wounds = measureWounds(draw(256, (x, y) => Math.max(small(x, y), large(x, y))), square(256), RULES, null);
    expect(wounds.map((wound) => wound.index)).toEqual([0, 1]);
    expect(wounds[0]!.area.pixels).toBeGreaterThan(wounds[1]!.area.pixels);
  });

  it('answers closed rings inside the photo, in pixels of the photo and not of the map', () => {
    const content = { x: 0, y: 64, width: 256, height: 128 };
    const map = draw(256, ellipse(60, 40, 0), content);
    const [wound] = measureWounds(map, { widthPx: 1024, heightPx: 512 }, RULES, null);
    const ring = wound!.contour.coordinates[0]!;
    expect(ring[0]).toEqual(ring[ring.length - 1]);
    expect(wound!.boundingBox.x).toBeCloseTo((128 - 60) * 4, 0);
    expect(wound!.boundingBox.y).toBeCloseTo((128 - 40 - 64) * 4, 0);
    expect(wound!.area.pixels / (16 * Math.PI * 60 * 40)).toBeCloseTo(1, 2);
  });

  it('closes the outline of a wound that fills the photo at its border', () => {
    const [wound] = measureWounds(draw(64, () => 1), square(64), RULES, null);
    expect(wound!.area.pixels).toBeGreaterThan(64 * 64 * 0.98);
    expect(wound!.area.pixels).toBeLessThanOrEqual(64 * 64);
  });
});

describe('assembleWoundResult', () => {
  const trace = {
    models: [],
    executionProvider: 'cpu',
    preprocessing: { inputWidth: 256, inputHeight: 256, resize: 'letterbox', colorSpace: 'srgb', crop: null },
    thresholds: { probability: 0.5, minAreaShare: 0.0003, novelty: null },
    cardBarMm: null,
    timingsMs: {},
  } as const;
  const picture = { contentType: 'image/png', width: 256, height: 256 };
  const assemble = (map: ProbabilityMap, mmPerPixel: number | null) => {
    const photo = square(256);
    const scale = chooseScale(mmPerPixel, { scale: null, finding: null }, photo);
    const wounds = measureWounds(map, photo, RULES, scale.scale);
    const confidence = photoConfidence(map, wounds.length > 0, undefined);
    const findings = { photo, wounds, confidence, scale, figures: FIGURES, unfamiliar: false, trace };
    return assembleWoundResult({ ...findings, artifacts: { mask: picture, overlay: picture }, push: null });
  };

  it('is a result without a wound, an area or a trend when nothing is outlined', () => {
    const result = assemble(draw(256, () => -1), 0.5);
    expect(result).toMatchObject({ woundDetected: false, wounds: [], totals: { woundCount: 0, areaCm2: null }, followUp: null });
    expect(result.quality.warnings).toEqual(['no_wound']);
  });

  it('warns of a missing scale and invents none', () => {
    const result = assemble(draw(256, ellipse(60, 40, 0)), null);
    expect(result.scale).toEqual({ source: 'none', mmPerPixel: null, uncertaintyPct: null, marker: null });
    expect(result.quality.warnings).toContain('no_scale');
    expect(result.totals.areaCm2).toBeNull();
  });

  it('warns when a wound reaches the border of the photo', () => {
    expect(assemble(draw(256, ellipse(60, 40, 0, 20)), 0.5).quality.warnings).toContain('touches_edge');
  });

  it('warns when the other outlines together exceed a tenth of the largest', () => {
    const small = ellipse(15, 15, 0, 60);
    const large = ellipse(40, 30, 0, 170);
    expect(assemble(draw(256, (x, y) => Math.max(small(x, y), large(x, y))), 0.5).quality.warnings).toContain('multiple_outlines');
  });
});
