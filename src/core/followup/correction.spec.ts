import { drawResult, rectangle } from '../../../test/support/wound-results.js';
import type { PixelPoint, PixelPolygon } from '../measurement/wound-result.js';
import { MAX_CONTOUR_POINTS } from '../measurement/contour-check.js';
import { findingsOf, noTrendReasonOf } from './assessment.js';
import { correctFindings, type Correction } from './correction.js';

const RESULT = drawResult({
  boxes: [
    [100, 100, 200, 200],
    [300, 100, 350, 150],
  ],
});
const correct = (correction: Correction, result = RESULT) =>
  correctFindings(findingsOf(result), result, correction, null);
const polygon = (...ring: PixelPoint[]): PixelPolygon => ({ type: 'Polygon', coordinates: [ring] });
const SHARES = { granulation: 0.5, slough: 0.3, necrosis: 0.2, other: 0 };

function refusalOf(correction: Correction): { pointer: string; detail: string } {
  try {
    correct(correction);
  } catch (error) {
    return (error as { facts: { errors: { pointer: string; detail: string }[] } }).facts.errors[0]!;
  }
  throw new Error('was not refused');
}

describe('correctFindings', () => {
  it.each([
    ['nothing at all', {}, '/decision', /needs a contour, outlines, tissue, a calibration or observations/],
    [
      'a contour and outlines at once',
      { contour: [rectangle(10, 10, 20, 20)], outlines: [0] },
      '/outlines',
      /not both/,
    ],
    ['an outline that the result has not', { outlines: [2] }, '/outlines', /0 to 1/],
    ['a contour beyond the photo', { contour: [rectangle(600, 10, 700, 60)] }, '/contour', /640 × 480/],
    ['an open ring', { contour: [polygon([10, 10], [20, 10], [20, 20], [10, 20])] }, '/contour', /last like the first/],
    ['a ring without an area', { contour: [polygon([10, 10], [20, 10], [30, 10], [10, 10])] }, '/contour', /no area/],
    [
      'a ring that crosses itself',
      { contour: [polygon([10, 10], [60, 60], [60, 10], [10, 50], [10, 10])] },
      '/contour',
      /cross/,
    ],
    [
      'rings that cross each other',
      { contour: [rectangle(10, 10, 60, 60), rectangle(40, 40, 90, 90)] },
      '/contour',
      /cross/,
    ],
    [
      'a polygon inside another',
      { contour: [rectangle(10, 10, 60, 60), rectangle(20, 20, 30, 30)] },
      '/contour',
      /inside each other/,
    ],
    [
      'a hole outside its ring',
      {
        contour: [
          {
            type: 'Polygon',
            coordinates: [...rectangle(10, 10, 60, 60).coordinates, ...rectangle(70, 70, 80, 80).coordinates],
          },
        ],
      },
      '/contour',
      /holes/,
    ],
    ['shares that are not 1 together', { tissue: { ...SHARES, other: 0.2 } }, '/tissue', /1 together/],
  ] as const)('refuses %s', (_, correction, pointer, detail) => {
    expect(refusalOf(correction as Correction)).toEqual({ pointer, detail: expect.stringMatching(detail) });
  });

  it('refuses more points than a hand draws', () => {
    const circle = Array.from({ length: MAX_CONTOUR_POINTS }, (_, index): PixelPoint => {
      const angle = (2 * Math.PI * index) / MAX_CONTOUR_POINTS;
      return [200 + 100 * Math.cos(angle), 200 + 100 * Math.sin(angle)];
    });
    expect(refusalOf({ contour: [polygon(...circle, circle[0]!)] }).detail).toMatch(/at most 2000 points/);
    const fewer = circle.slice(0, -1);
    expect(correct({ contour: [polygon(...fewer, fewer[0]!)] }).figures!.area.pixels).toBeCloseTo(Math.PI * 10_000, -3);
  });

  it('refuses tissue where there is no wound to have it', () => {
    const none = drawResult({ boxes: [] });
    expect(() => correct({ tissue: SHARES }, none)).toThrow('request.invalid');
  });

  it('measures a contour with its hole on the photo’s own scale, with the margin of an expert', () => {
    const hole = rectangle(40, 40, 60, 60).coordinates[0]!;
    const findings = correct({
      contour: [{ type: 'Polygon', coordinates: [...rectangle(20, 20, 120, 120).coordinates, hole] }],
    });
    // 100 × 100 − 20 × 20 pixels at 0.2 mm: 3.84 cm²; ± √(14.3² + 6.6²) %, and above also the 41 % of a photo taken at 45°.
    expect(findings.figures!.area).toMatchObject({ pixels: 9600, cm2: { value: 3.84, lower: 3.24, upper: 5.54 } });
    expect(findings).toMatchObject({
      outlineSource: 'reviewer_contour',
      confidence: null,
      ambiguous: false,
      areaRepeatabilityPct: 8.7,
      tissue: null,
    });
    expect(noTrendReasonOf(findings)).toBeNull();
  });

  it('measures an oblique photo through its plane and not by one scale', () => {
    const seen = {
      ...RESULT,
      scale: { ...RESULT.scale, source: 'marker' as const, pixelToMm: [0.2, 0, 0, 0, 0.2, 0, 0.0005, 0, 1] },
    };
    const left = correct({ contour: [rectangle(20, 100, 70, 150)] }, seen).figures!.area.cm2!.value;
    const right = correct({ contour: [rectangle(520, 100, 570, 150)] }, seen).figures!.area.cm2!.value;
    expect(left).toBeGreaterThan(1.5 * right);
  });

  it('takes a wound in the hole of another one', () => {
    const hole = rectangle(40, 40, 100, 100).coordinates[0]!;
    const around = { type: 'Polygon' as const, coordinates: [...rectangle(20, 20, 120, 120).coordinates, hole] };
    const { figures } = correct({ contour: [around, rectangle(60, 60, 80, 80)] });
    expect(figures!.area.pixels).toBe(100 ** 2 - 60 ** 2 + 20 ** 2);
  });

  it('adds up several polygons, and takes length and width from the largest', () => {
    const { figures } = correct({ contour: [rectangle(300, 20, 350, 70), rectangle(20, 20, 120, 120)] });
    expect(figures!.area).toMatchObject({ pixels: 12_500, cm2: { value: 5 } });
    expect(figures!.perimeter.pixels).toBe(600);
    expect(figures!.length.pixels).toBeCloseTo(141.4, 1);
  });

  it('settles which outlines belong', () => {
    expect(noTrendReasonOf(findingsOf(RESULT))).toBe('multiple_outlines');
    const both = correct({ outlines: [1, 0, 1] });
    expect(both).toMatchObject({
      outlineSource: 'reviewer_choice',
      otherOutlines: 0,
      ambiguous: false,
      figures: { area: { pixels: 12_500 } },
    });
    expect(correct({ outlines: [1] })).toMatchObject({ otherOutlines: 1, figures: { area: { pixels: 2500 } } });
  });

  it('outlines a wound that the model missed', () => {
    const none = drawResult({ boxes: [] });
    expect(correct({ contour: [rectangle(20, 20, 120, 120)] }, none)).toMatchObject({
      woundDetected: true,
      figures: { area: { cm2: { value: 4 } } },
    });
  });

  it('takes tissue shares as confirmed, and lets them be exactly 1 together', () => {
    const findings = correct({ tissue: { granulation: 1 / 3, slough: 1 / 3, necrosis: 1 / 3, other: 0 } });
    expect(findings.tissue).toMatchObject({
      granulation: 0.334,
      slough: 0.333,
      necrosis: 0.333,
      other: 0,
      method: { necrosis: 'clinician' },
    });
    expect(findings.confirmedTissues).toContain('necrosis');
  });

  it('gives no centimetres where by the scale the contour would be larger than a body allows, and gives them again for a smaller one', () => {
    const result = drawResult({ boxes: [[100, 100, 200, 200]], mmPerPixel: 4 });
    const large = correct({ contour: [rectangle(10, 10, 610, 410)] }, result);
    expect(large.figures).toMatchObject({ area: { pixels: 240_000, cm2: null }, length: { cm: null } });
    expect(large.scale).toMatchObject({ source: 'none', mmPerPixel: null });
    expect(large.quality.warnings).toEqual(['scale_implausible', 'outline_unlikely']);
    expect(noTrendReasonOf(large)).toBe('no_scale');
    const smaller = correctFindings(large, result, { contour: [rectangle(100, 100, 200, 180)] }, null);
    expect(smaller.figures!.area.cm2!.value).toBe(1280);
    expect([smaller.scale, smaller.quality]).toEqual([result.scale, result.quality]);
  });

  describe('with a scale that a person set', () => {
    const codeOf = (correction: Correction, result = RESULT): string => {
      try {
        correct(correction, result);
      } catch (error) {
        return (error as { code: string }).code;
      }
      throw new Error('was not refused');
    };

    it.each([0.0049, 5.01, 0.006])('refuses %f mm a pixel, which no photo of 640 pixels has', (mmPerPixel) => {
      expect(codeOf({ calibration: { mmPerPixel } })).toBe('calibration.implausible');
    });

    it('refuses one by which the wound would be larger than a body allows: the distance was in another unit', () => {
      expect(codeOf({ calibration: { mmPerPixel: 4 }, contour: [rectangle(10, 10, 610, 410)] })).toBe(
        'calibration.implausible',
      );
    });

    it('measures the model’s outline anew, which stays the model’s with its own bounds, and says who set the scale', () => {
      const unscaled = drawResult({ mmPerPixel: null });
      const findings = correct({ calibration: { mmPerPixel: 0.4 } }, unscaled);
      // 100 × 100 pixels at 0.4 mm; bounds as those of a caller's scale: ± √(10² + 6.58²) %, and above the 41 % of 45°.
      expect(findings.figures).toEqual(findingsOf(drawResult({ mmPerPixel: 0.4 })).figures);
      expect(findings.figures!.area.cm2).toEqual({ value: 16, lower: 14.08, upper: 22.9 });
      expect(findings).toMatchObject({ outlineSource: 'model', confidence: 0.9 });
      expect(findings.scale).toMatchObject({ source: 'reviewer', mmPerPixel: 0.4, uncertaintyPct: 2 });
      expect([unscaled.quality.warnings, findings.quality.warnings]).toEqual([['no_scale'], []]);
    });

    it('keeps it for later corrections, whichever way the outline changes, until another one is set', () => {
      const first = correct({ calibration: { mmPerPixel: 0.4 } });
      const again = (correction: Correction, from = first) => correctFindings(from, RESULT, correction, null);
      const drawn = again({ contour: [rectangle(20, 20, 120, 120)] });
      expect(drawn.figures!.area.cm2!.value).toBe(16);
      expect(again({ outlines: [1] }).figures!.area.cm2!.value).toBe(4);
      expect(again({ calibration: { mmPerPixel: 0.1 } }, drawn)).toMatchObject({
        outlineSource: 'reviewer_contour',
        figures: { area: { cm2: { value: 1 } } },
      });
      expect(again({ tissue: SHARES }).scale).toEqual(first.scale);
    });

    it('measures each of several outlines, and leaves open which belong', () => {
      const { wounds, ...findings } = correct({ calibration: { mmPerPixel: 0.4 } });
      expect(noTrendReasonOf(findings)).toBe('multiple_outlines');
      expect(wounds!.map(({ counted, figures }) => [counted, figures.area.cm2!.value])).toEqual([
        [true, 16],
        [false, 4],
      ]);
    });

    it('takes the scale alone where nothing is outlined', () => {
      const findings = correct({ calibration: { mmPerPixel: 0.4 } }, drawResult({ boxes: [] }));
      expect(findings).toMatchObject({ figures: null, scale: { source: 'reviewer' } });
    });

    it('does not measure by a card any more that it saw', () => {
      const marker = { status: 'used', card: 'a4', markerIds: [1], tiltDegrees: 20, reason: null } as const;
      const carded = { ...RESULT, scale: { ...RESULT.scale, source: 'marker' as const, marker } };
      expect(correct({ calibration: { mmPerPixel: 0.4 } }, carded).scale.marker).toMatchObject({ status: 'ignored' });
    });
  });
});

describe('a contour that is unlikely', () => {
  const warnings = (correction: Correction, result = RESULT) => correct(correction, result).quality.warnings;
  const PHOTO_WIDE = [rectangle(5, 5, 635, 475)];

  it('is taken with a warning: around nearly the whole photo, or around many times what was outlined', () => {
    expect(warnings({ contour: PHOTO_WIDE })).toContain('outline_unlikely');
    expect(warnings({ contour: [rectangle(10, 10, 310, 260)] })).toContain('outline_unlikely');
    expect(warnings({ contour: PHOTO_WIDE }, drawResult({ boxes: [] }))).toContain('outline_unlikely');
  });

  it('is taken without one where the person says that it is meant, and where it is likely', () => {
    expect(warnings({ contour: PHOTO_WIDE, confirmOutline: true })).not.toContain('outline_unlikely');
    expect(warnings({ contour: [rectangle(90, 90, 260, 260)] })).not.toContain('outline_unlikely');
    expect(warnings({ contour: [rectangle(90, 90, 400, 400)] }, drawResult({ boxes: [] }))).not.toContain(
      'outline_unlikely',
    );
  });

  it('warns no longer once another one is drawn, and still where only the scale is set', () => {
    const doubted = correct({ contour: PHOTO_WIDE });
    const scaled = correctFindings(doubted, RESULT, { calibration: { mmPerPixel: 0.1 } }, null);
    expect(scaled.quality.warnings).toContain('outline_unlikely');
    const chosen = correctFindings(scaled, RESULT, { outlines: [0] }, null);
    expect(chosen.quality.warnings).not.toContain('outline_unlikely');
    const redrawn = correctFindings(scaled, RESULT, { contour: [rectangle(90, 90, 210, 210)] }, null);
    expect(redrawn.quality.warnings).not.toContain('outline_unlikely');
  });
});
