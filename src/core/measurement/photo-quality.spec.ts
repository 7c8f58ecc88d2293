import type { QualityWarning, WoundMeasurement } from './wound-result.js';
import { judgeQuality, type PhotoFigures, type QualityEvidence } from './photo-quality.js';
import { clientScale } from './plane-scale.js';

const GOOD: PhotoFigures = {
  sharpness: 0.46,
  exposure: 52,
  highlight: 88,
  darkShare: 0.04,
  clippedShare: 0.001,
  glareShare: 0,
};
const MARKER = { status: 'used', card: 'a4', markerIds: [1, 2], tiltDegrees: 10, reason: null } as const;

function wound(
  changes: { box?: readonly [number, number, number, number]; confidence?: number; area?: number; width?: number } = {},
): WoundMeasurement {
  const [x, y, width, height] = changes.box ?? [100, 100, 80, 60];
  return {
    index: 0,
    confidence: changes.confidence ?? 0.95,
    boundingBox: { x, y, width, height },
    area: { pixels: changes.area ?? 3700 },
    width: { pixels: changes.width ?? height },
  } as unknown as WoundMeasurement;
}

function judge(changes: Partial<QualityEvidence> = {}) {
  const scale = { scale: clientScale(0.2), marker: null, mismatch: false };
  return judgeQuality({
    photo: { widthPx: 640, heightPx: 480 },
    figures: GOOD,
    wounds: [wound()],
    setAside: [],
    confidence: 0.97,
    scale,
    unfamiliar: false,
    ...changes,
  });
}

/** Each with what brings it about, and whether another photo is wanted. */
const CAUSES: readonly (readonly [QualityWarning, boolean, Partial<QualityEvidence>])[] = [
  ['blurred', true, { figures: { ...GOOD, sharpness: 0.26 } }],
  ['under_exposed', true, { figures: { ...GOOD, exposure: 28, highlight: 50 } }],
  ['over_exposed', true, { figures: { ...GOOD, exposure: 75, clippedShare: 0.2 } }],
  ['glare', true, { figures: { ...GOOD, glareShare: 0.006 } }],
  ['low_resolution', true, { photo: { widthPx: 640, heightPx: 200 } }],
  ['low_resolution', true, { wounds: [wound({ width: 15 })] }],
  ['unfamiliar', false, { unfamiliar: true }],
  ['oblique', true, { scale: { scale: clientScale(0.2), marker: { ...MARKER, tiltDegrees: 50 }, mismatch: false } }],
  ['touches_edge', true, { wounds: [wound({ box: [0.5, 100, 80, 60] })] }],
  ['touches_edge', true, { wounds: [wound(), wound({ box: [100, 419.5, 80, 60], area: 100 })] }],
  ['no_scale', false, { scale: { scale: null, marker: null, mismatch: false } }],
  [
    'marker_refused',
    false,
    {
      scale: { scale: clientScale(0.2), marker: { ...MARKER, status: 'refused', reason: 'cut_off' }, mismatch: false },
    },
  ],
  [
    'scale_mismatch',
    false,
    {
      scale: {
        scale: clientScale(0.2),
        marker: { ...MARKER, status: 'ignored', reason: 'client_scale_given' },
        mismatch: true,
      },
    },
  ],
  ['scale_implausible', false, { scale: { scale: null, marker: null, mismatch: false, isImplausible: true } }],
  ['multiple_outlines', false, { wounds: [wound(), wound({ area: 400 })] }],
  ['uncertain', false, { wounds: [wound({ confidence: 0.5 })] }],
  ['uncertain', false, { confidence: 0.55 }],
];

describe('judgeQuality', () => {
  it('is uncertain where the map is sure of an outline in a photo that shows no open wound, and not where it is not', () => {
    const warningsFor = (confidence: number) => judge({ wounds: [], setAside: [wound({ confidence })] }).warnings;
    expect(warningsFor(0.8)).toEqual(['no_wound', 'open_wounds_only', 'uncertain']);
    expect(warningsFor(0.4)).toEqual(['no_wound', 'open_wounds_only']);
  });

  it.each(CAUSES)('warns %s and nothing else (another photo wanted: %s)', (warning, retake, changes) => {
    expect(judge(changes)).toMatchObject({ warnings: [warning], acceptable: !retake });
  });

  it('says of a photo without an open wound that nothing but open wounds is looked for', () => {
    expect(judge({ wounds: [] })).toMatchObject({ warnings: ['no_wound', 'open_wounds_only'], acceptable: true });
  });

  it('keeps silent about a good photo, and gives its figures as they were measured', () => {
    expect(judge()).toEqual({ acceptable: true, sharpness: 0.46, exposure: 52, glareShare: 0, warnings: [] });
  });

  it('takes dark skin, a dark room and white cloth for no fault of the light', () => {
    expect(judge({ figures: { ...GOOD, exposure: 30, highlight: 66 } }).warnings).toEqual([]);
    expect(judge({ figures: { ...GOOD, exposure: 50, clippedShare: 0.15 } }).warnings).toEqual([]);
  });

  it('takes small outlines beside a large one for no question', () => {
    expect(judge({ wounds: [wound(), wound({ area: 360 })] }).warnings).toEqual([]);
  });

  it('names everything that is wrong at once', () => {
    const { warnings } = judge({
      figures: { ...GOOD, sharpness: 0.1, exposure: 20, highlight: 30 },
      wounds: [],
      scale: { scale: null, marker: null, mismatch: false },
    });
    expect(warnings).toEqual(['blurred', 'under_exposed', 'no_scale', 'no_wound', 'open_wounds_only']);
  });
});
