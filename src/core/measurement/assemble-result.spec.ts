import { drawMap, ellipse, place } from '../../../test/support/drawn-shapes.js';
import { assembleWoundResult, type ResultParts } from './assemble-result.js';
import { measureWounds } from './measure-wounds.js';
import { clientScale, type PlaneScale } from './plane-scale.js';
import type { ProbabilityMap } from './probability-map.js';
import { chooseScale } from './scale-choice.js';
import { photoConfidence } from './wound-confidence.js';

const PHOTO = { widthPx: 256, heightPx: 256 };
const FIGURES = { sharpness: 0.5, exposure: 55, highlight: 85, darkShare: 0, clippedShare: 0, glareShare: 0 };
const TRACE = {
  models: [],
  executionProvider: 'cpu',
  preprocessing: { inputWidth: 256, inputHeight: 256, resize: 'letterbox', colorSpace: 'srgb' },
  thresholds: { probability: 0.5, minAreaShare: 0.0003 },
  timingsMs: {},
} as unknown as ResultParts['trace'];
const PICTURE = { contentType: 'image/png', width: 256, height: 256 };
const NO_CARD = { scale: null, finding: null };
const wound = (x = 128, radius = 60) => place(ellipse(radius, radius * 0.7), 0, x, 128).depth;

function assemble(map: ProbabilityMap, scale: PlaneScale | null, changes: Partial<ResultParts> = {}) {
  const wounds = measureWounds(map, PHOTO, { threshold: 0.5, minAreaShare: 0.0003 }, scale);
  const confidence = photoConfidence(map, wounds.length > 0, undefined, null);
  const findings = {
    photo: PHOTO,
    wounds,
    setAside: [],
    confidence,
    scale: { scale, marker: null, mismatch: false },
    figures: FIGURES,
    unfamiliar: false,
    familiarity: null,
    trace: TRACE,
  };
  return assembleWoundResult({ ...findings, artifacts: { mask: PICTURE, overlay: PICTURE }, push: null, ...changes });
}

describe('assembleWoundResult', () => {
  it('is a result without a wound, an area or a trend when nothing is outlined', () => {
    const result = assemble(
      drawMap(256, () => -9),
      clientScale(0.5),
    );
    expect(result).toMatchObject({
      woundDetected: false,
      wounds: [],
      totals: { woundCount: 0, areaPixels: 0, areaCm2: null },
      followUp: null,
      scores: null,
    });
    expect(result.confidence).toBeGreaterThan(0.99);
    expect(result.quality).toMatchObject({ acceptable: true, warnings: ['no_wound', 'open_wounds_only'] });
  });

  it('warns of a missing scale and invents none', () => {
    const result = assemble(drawMap(256, wound()), null);
    expect(result.scale).toEqual({
      source: 'none',
      mmPerPixel: null,
      uncertaintyPct: null,
      pixelToMm: null,
      marker: null,
    });
    expect(result.quality.warnings).toEqual(['no_scale']);
    expect(result.totals.areaCm2).toBeNull();
  });

  it('gives a stated scale back as it was stated', () => {
    expect(assemble(drawMap(256, wound()), clientScale(0.21)).scale).toMatchObject({
      source: 'client',
      mmPerPixel: 0.21,
      pixelToMm: [0.21, 0, 0, 0, 0.21, 0, 0, 0, 1],
    });
  });

  it('gives a card’s scale at the largest wound, and at the photo’s middle where there is none', () => {
    // One millimetre a pixel at the left border, shrinking to the right.
    const seen: PlaneScale = { source: 'marker', toMm: [1, 0, 0, 0, 1, 0, 0.001, 0, 1], uncertaintyPct: 0.83456 };
    const nearby = assemble(drawMap(256, wound(70, 30)), seen).scale;
    const away = assemble(drawMap(256, wound(190, 30)), seen).scale;
    const middle = assemble(
      drawMap(256, () => -9),
      seen,
    ).scale;
    expect(nearby).toMatchObject({ source: 'marker', uncertaintyPct: 0.8346 });
    expect(nearby.mmPerPixel!).toBeGreaterThan(middle.mmPerPixel!);
    expect(middle.mmPerPixel!).toBeGreaterThan(away.mmPerPixel!);
  });

  it('names no scale at a point that no plane reaches', () => {
    const horizon: PlaneScale = { source: 'marker', toMm: [1, 0, 0, 0, 1, 0, 0, 1 / 128, -1], uncertaintyPct: 1 };
    const result = assemble(drawMap(256, wound()), horizon);
    expect(result.scale.mmPerPixel).toBeNull();
    expect(result.totals.areaCm2).toBeNull();
  });

  it('adds up what the wounds have, as it is written there', () => {
    const map = drawMap(256, (x, y) => Math.max(wound(70, 40)(x, y), wound(190, 30)(x, y)));
    const { wounds, totals } = assemble(map, clientScale(0.5));
    expect(totals.woundCount).toBe(2);
    expect(totals.areaCm2).toBeCloseTo(wounds[0]!.area.cm2!.value + wounds[1]!.area.cm2!.value, 10);
    expect(totals.areaPixels).toBeCloseTo(wounds[0]!.area.pixels + wounds[1]!.area.pixels, 5);
  });

  it('carries PUSH sub-scores only where it is given them', () => {
    const push = { area: 4, tissue: null, exudate: 1, total: null, missing: ['tissue'] } as const;
    expect(assemble(drawMap(256, wound()), null, { push }).scores).toEqual({ push });
  });
});

describe('chooseScale', () => {
  const photo = { widthPx: 1000, heightPx: 800 };
  const finding = { status: 'used', card: 'a4', markerIds: [1, 2], tiltDegrees: 3, reason: null } as const;
  const card = (mmPerPixel: number) => ({ scale: { ...clientScale(mmPerPixel), source: 'marker' as const }, finding });

  it('has none where nobody states one and no card is seen', () => {
    expect(chooseScale(null, NO_CARD, photo)).toEqual({ scale: null, marker: null, mismatch: false });
  });

  it('does not use a refused card, and says what was seen of it', () => {
    const refused = { ...finding, status: 'refused', reason: 'cut_off' } as const;
    expect(chooseScale(null, { scale: null, finding: refused }, photo)).toEqual({
      scale: null,
      marker: refused,
      mismatch: false,
    });
    expect(chooseScale(0.2, { scale: null, finding: refused }, photo)).toMatchObject({
      scale: { source: 'client' },
      marker: refused,
      mismatch: false,
    });
  });

  it('takes the card where the caller states nothing', () => {
    expect(chooseScale(null, card(0.2), photo)).toMatchObject({
      scale: { source: 'marker' },
      marker: { status: 'used' },
      mismatch: false,
    });
  });

  it('takes the caller’s word before the card, and says that the card was left out', () => {
    const chosen = chooseScale(0.21, card(0.2), photo);
    expect(chosen).toMatchObject({ scale: { source: 'client' }, mismatch: false });
    expect(chosen.marker).toMatchObject({ status: 'ignored', reason: 'client_scale_given' });
  });

  it.each([0.1, 0.179, 0.223, 2])('calls %d mm a pixel a mismatch with a card that says 0.2', (stated) => {
    expect(chooseScale(stated, card(0.2), photo).mismatch).toBe(true);
  });
});
