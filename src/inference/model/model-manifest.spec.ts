import { MODEL_MANIFEST_SCHEMA } from './model-manifest.js';

const common = {
  name: 'model',
  version: '1.0.0',
  file: 'model.onnx',
  sha256: '0'.repeat(64),
  input: {
    name: 'image',
    width: 512,
    height: 512,
    mean: [0.45, 0.45, 0.45],
    std: [0.27, 0.27, 0.27],
    resize: 'letterbox',
  },
  output: { name: 'probability' },
  researchOnly: true,
  licence: 'Research only',
};
const wound = { ...common, task: 'wound-segmentation', threshold: 0.5, minAreaShare: 0.0003 };
const tissue = {
  ...common,
  task: 'tissue-segmentation',
  classes: ['background', 'slough', 'granulation', 'callus'],
  woundBed: ['slough', 'granulation'],
};

const fieldAtFault = (manifest: unknown) => MODEL_MANIFEST_SCHEMA.safeParse(manifest).error?.issues[0]?.path.join('.');

const STEP = { agreement: 0.6, dice: 0.5, lower: 0.1, upper: 0.9, areaPct: 80 };
const FAMILIARITY = {
  intercept: -3,
  agreementLogit: 1.5,
  reliableFrom: 0.5,
  calibration: [STEP, { ...STEP, agreement: 0.9, dice: 0.7, areaPct: 40 }],
};

const CONFORMAL = {
  intercept: -1,
  logArea: -0.1,
  logBand: 0.5,
  leastScale: 0.05,
  mostScale: 0.5,
  below: 2,
  above: 2.2,
};
const conformalBounds = (change: object) => ({
  lowerThreshold: 0.25,
  upperThreshold: 0.75,
  conformal: { ...CONFORMAL, ...change },
});
const CONFORMAL_BOUNDS = conformalBounds({});

describe('the manifest of a model that outlines wounds', () => {
  it.each([
    ['sha256', { sha256: 'abc' }],
    ['file', { file: '../elsewhere.onnx' }],
    ['threshold', { threshold: 1.5 }],
    ['threshold', { threshold: undefined }],
    ['task', { task: 'something-else' }],
    ['researchOnly', { researchOnly: undefined }],
    ['variant', { variant: 'slow' }],
    ['input.width', { input: { ...common.input, width: 16 } }],
    ['input.std', { input: { ...common.input, std: [0.2, 0, 0.2] } }],
    ['input.resize', { input: { ...common.input, resize: 'stretch' } }],
    ['noveltyThreshold', { noveltyThreshold: 3 }],
    ['presence', { presence: { threshold: 0.3 } }],
    ['presence', { output: { name: 'probability', presence: 'wound' } }],
    ['presence.threshold', { output: { name: 'probability', presence: 'wound' }, presence: { threshold: 1 } }],
    ['refinement', { refinement: { belowAreaShare: 0.02, contextShare: 1, context: 1 } }],
    ['refinement.belowAreaShare', { refinement: { belowAreaShare: 2, contextShare: 1 } }],
    ['bounds.floorPct', { bounds: { lowerThreshold: 0.3, upperThreshold: 0.7 } }],
    ['bounds', { bounds: { lowerThreshold: 0.7, upperThreshold: 0.3, floorPct: 5 } }],
    ['bounds.floorPct', { bounds: { ...CONFORMAL_BOUNDS, floorPct: 5 } }],
    ['bounds.conformal', { bounds: conformalBounds({ leastScale: 0.6 }) }],
    ['bounds.conformal.below', { bounds: conformalBounds({ below: -1 }) }],
    ['bounds.conformal.mostScale', { bounds: conformalBounds({ mostScale: 3 }) }],
    ['bounds.conformal.logBand', { bounds: conformalBounds({ logBand: undefined }) }],
    [
      'confidence.wound.meanLogit',
      { confidence: { wound: { intercept: 0, logAreaShare: 0 }, photo: { intercept: 0, peakLogit: 1 } } },
    ],
    ['familiarity.agreementLogit', { familiarity: { ...FAMILIARITY, agreementLogit: -1 } }],
    ['familiarity.calibration', { familiarity: { ...FAMILIARITY, calibration: [STEP] } }],
    ['familiarity.calibration', { familiarity: { ...FAMILIARITY, calibration: [STEP, { ...STEP, dice: 0.6 }] } }],
    [
      'familiarity.calibration',
      { familiarity: { ...FAMILIARITY, calibration: [STEP, { ...STEP, agreement: 0.9, dice: 0.4 }] } },
    ],
    [
      'familiarity.calibration.1',
      { familiarity: { ...FAMILIARITY, calibration: [STEP, { ...STEP, agreement: 0.9, dice: 0.99 }] } },
    ],
  ])('is refused for %s (%j)', (field, change) => {
    expect(fieldAtFault({ ...wound, ...change })).toBe(field);
  });

  it('needs none of what it may say', () => {
    expect(MODEL_MANIFEST_SCHEMA.parse(wound)).toEqual(wound);
  });

  it('may make its bounds from the size of an outline and its border', () => {
    const stated = { ...wound, bounds: { ...CONFORMAL_BOUNDS, coverage: 0.9 } };
    expect(MODEL_MANIFEST_SCHEMA.parse(stated)).toEqual(stated);
  });

  it('may say all of it', () => {
    const all = {
      ...wound,
      variant: 'accurate',
      output: { name: 'probability', novelty: 'distance', presence: 'wound' },
      noveltyThreshold: 3.2,
      presence: { threshold: 0.3, expectedCalibrationError: 0.03 },
      refinement: { belowAreaShare: 0.02, contextShare: 1, proposalThreshold: 0.2 },
      bounds: { lowerThreshold: 0.2, upperThreshold: 0.8, floorPct: 5, coverage: 0.9 },
      confidence: {
        wound: { intercept: 0.1, meanLogit: 1, logAreaShare: 0.2 },
        photo: { intercept: 0, peakLogit: 1 },
        expectedCalibrationError: 0.03,
      },
      familiarity: FAMILIARITY,
      metrics: { fuseg: { pictures: 120, datasetDice: 0.9, interval: [0.88, 0.92] } },
    };
    expect(MODEL_MANIFEST_SCHEMA.parse(all)).toEqual(all);
  });
});

describe('the manifest of a model that tells tissues apart', () => {
  it.each([
    ['classes', { classes: undefined }],
    ['classes', { classes: ['background', 'slough', 'granulation', 'granulation'] }],
    ['classes', { classes: ['background', 'granulation', 'callus'] }],
    ['classes.3', { classes: ['background', 'slough', 'granulation', 'bone'] }],
    ['woundBed', { woundBed: [] }],
    ['woundBed', { woundBed: ['granulation', 'callus'] }],
    ['woundBed', { woundBed: ['granulation', 'necrosis'] }],
    ['contextShare', { contextShare: -1 }],
  ])('is refused for %s (%j)', (field, change) => {
    expect(fieldAtFault({ ...tissue, ...change })).toBe(field);
  });

  it('takes three tenths of context where it says nothing else', () => {
    expect(MODEL_MANIFEST_SCHEMA.parse(tissue)).toEqual({ ...tissue, contextShare: 0.3 });
  });
});
