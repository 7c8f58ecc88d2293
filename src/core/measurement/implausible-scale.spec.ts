import { drawResult } from '../../../test/support/wound-results.js';
import type { MarkerFinding, WoundMeasurement } from './wound-result.js';
import { withPlausibleScale } from './implausible-scale.js';
import { measureOutline } from './measure-wounds.js';
import { clientScale, type PlaneScale } from './plane-scale.js';

const CARD: MarkerFinding = { status: 'used', card: 'a4', markerIds: [1, 2], tiltDegrees: 10, reason: null };

/** A square of so many pixels a side, measured by the scale. */
function square(sidePx: number, scale: PlaneScale): WoundMeasurement {
  const outer = [
    [0, 0],
    [sidePx, 0],
    [sidePx, sidePx],
    [0, sidePx],
  ] as const;
  const measures = measureOutline(
    { outer: [...outer], holes: [], area: sidePx ** 2 },
    { below: 0.1, above: 0.1 },
    scale,
  );
  return { index: 0, confidence: 0.9, ...measures };
}

describe('a scale by which a wound would be larger than a body allows', () => {
  const scale = clientScale(2);
  const wounds = [square(296, scale), square(20, scale)];
  const withdrawn = withPlausibleScale({ scale, marker: null, mismatch: true }, wounds);

  it('is taken back, and no wound of the photo has centimetres', () => {
    expect(wounds[0]!.area.cm2!.value).toBeGreaterThan(3500);
    expect(withdrawn.scale).toEqual({ scale: null, marker: null, mismatch: false, isImplausible: true });
    for (const wound of withdrawn.wounds)
      expect([wound.area.cm2, wound.length.cm, wound.width.cm, wound.perimeter.cm]).toEqual([null, null, null, null]);
    expect(withdrawn.wounds.map(({ area }) => area.pixels)).toEqual(wounds.map(({ area }) => area.pixels));
  });

  it('is taken back where it was a card’s, which then counts as refused', () => {
    const byCard = { ...scale, source: 'marker' } as const;
    expect(withPlausibleScale({ scale: byCard, marker: CARD, mismatch: false }, wounds).scale.marker).toEqual({
      ...CARD,
      status: 'refused',
      reason: 'implausible',
    });
  });

  it('leaves no centimetre in the result, which says why', () => {
    const result = drawResult({
      boxes: [
        [10, 10, 630, 470],
        [0, 0, 5, 5],
      ],
      mmPerPixel: 4.6,
    });
    expect(JSON.stringify(result)).not.toMatch(/"cm2?":\{/);
    expect(result.totals.areaCm2).toBeNull();
    expect(result.scale).toMatchObject({ source: 'none', mmPerPixel: null, pixelToMm: null });
    expect(result.quality.warnings).toContain('scale_implausible');
    expect(result.quality.warnings).not.toContain('no_scale');
  });
});

it('a scale is kept up to the largest wound that a body can have', () => {
  const scale = clientScale(2);
  const wounds = [square(295, scale)];
  const chosen = { scale, marker: CARD, mismatch: true };
  expect(wounds[0]!.area.cm2!.value).toBe(3481);
  expect(withPlausibleScale(chosen, wounds)).toEqual({ scale: chosen, wounds });
});
