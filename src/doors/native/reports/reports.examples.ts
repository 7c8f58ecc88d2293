import { BASE, IMAGE_ID, JOB_ID, REPORT_ID, resultExample, WOUND_ID } from '../route/examples.js';
import { jobPath, reportPath, woundPath } from '../route/paths.js';

const PREVIOUS_REPORT_ID = '01995b1f-4a10-7c22-9e6d-5b8f1a3c7e90';
const [wound] = resultExample.wounds;
const { models } = resultExample.trace;
const previous = {
  reportId: PREVIOUS_REPORT_ID,
  jobId: '01995b1f-4a10-7b11-8d5c-4a7e0f2b6d8f',
  imageId: '01995b1e-9f04-7a00-8b4b-396dfe1a5c7e',
  capturedAt: '2025-11-13T09:04:00.000Z',
  areaCm2: { value: 1.62, lower: 1.33, upper: 1.91 },
};
const { areaCm2: _area, ...previousAssessment } = previous;
export const changeExample = {
  days: 7,
  areaCm2: -0.35,
  areaPct: -21.6,
  areaPctInterval: { lower: -37.2, upper: -2.1 },
  areaCm2PerWeek: -0.35,
  marginAdvanceMmPerDay: 0.101,
  minimalDetectableChangePct: 24.9,
  beyondDetectable: false,
  warnings: [],
};
const reviewer = { id: 'HCP-0042', name: 'Example Reviewer' };

export const subjectExample = {
  patient: { id: 'MRN-4711', system: null },
  woundRef: WOUND_ID,
  woundId: 'W1',
  woundIdSystem: null,
  bodySite: { system: 'http://snomed.info/sct', code: '30021000', display: 'Lower leg structure' },
  laterality: 'left',
  woundType: null,
};

export const reportExample = {
  id: REPORT_ID,
  version: 1,
  status: 'preliminary',
  reason: 'created',
  environment: 'test',
  jobId: JOB_ID,
  imageId: IMAGE_ID,
  sequence: 2,
  replaces: null,
  replacedBy: null,
  issuedAt: '2025-11-20T09:01:12.631Z',
  subject: subjectExample,
  capturedAt: '2025-11-20T08:58:00.000Z',
  capturedAsStated: '2025-11-20T09:58:00+01:00',
  clinicalContext: 'Venous leg ulcer, dressing changed today.',
  clinicianObservations: {
    depthCm: 0.4,
    exudate: 'moderate',
    exudateType: 'serous',
    odour: 'faint',
    painNrs: 3,
    undermining: [{ fromClock: 2, toClock: 5, depthCm: 1.2 }],
    edges: ['rolled'],
    periwound: ['erythema', 'dry'],
  },
  findings: {
    photo: { widthPx: 512, heightPx: 512 },
    woundDetected: true,
    outlines: [wound!.contour],
    outlineSource: 'model',
    otherOutlines: 0,
    ambiguous: false,
    figures: { area: wound!.area, length: wound!.length, width: wound!.width, perimeter: wound!.perimeter },
    tissue: wound!.tissue,
    confirmedTissues: [],
    push: null,
    confidence: wound!.confidence,
    quality: resultExample.quality,
    scale: resultExample.scale,
    areaRepeatabilityPct: 8.1,
    model: `${models[0]!.name}/${models[0]!.version}`,
  },
  comparison: {
    rules: 3,
    noTrendReason: null,
    attention: [],
    previousAssessment,
    previous,
    baseline: previous,
    smallest: previous,
    sincePrevious: changeExample,
    sinceBaseline: changeExample,
    sinceSmallest: changeExample,
    slope: null,
    trend: 'within_detectable_change',
    trendBasis: 'pair',
    supersededBy: null,
    supersedes: null,
    closure: null,
  },
  flags: [],
  review: null,
  models,
  links: {
    self: `${BASE}${reportPath(REPORT_ID)}`,
    versions: `${BASE}${reportPath(REPORT_ID)}/versions`,
    job: `${BASE}${jobPath(JOB_ID)}`,
    wound: `${BASE}${woundPath(WOUND_ID)}`,
    timeline: `${BASE}${woundPath(WOUND_ID)}/timeline`,
  },
};

export const acceptExample = { decision: 'accept', reviewer };

export const correctedExample = {
  ...reportExample,
  version: 2,
  status: 'final',
  reason: 'reviewed',
  issuedAt: '2025-11-20T10:12:40.118Z',
  review: { decision: 'accept', reviewer, note: null, reviewedAt: '2025-11-20T10:12:40.118Z' },
};
