import type { TissueComposition } from '../../../core/tissue/tissues.js';
import { jobPath, reportPath } from './paths.js';

export const BASE = 'https://sutura.example';
export const IMAGE_ID = '01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f';
export const REPORT_ID = '01997f2f-0b52-7d03-8a11-4c6e9f2b7d18';
export const WOUND_ID = '01997f2f-2f10-7e55-b0c2-91d4a7e3f6c8';
export const JOB_ID = '01997f2f-0b52-7c41-9d3e-2a6f8c1e7b90';

export const uploadRequestExample = { contentType: 'image/jpeg', contentLength: 482133 };

export const uploadTicketExample = {
  imageId: IMAGE_ID,
  uploadUrl: `${BASE}/storage/uploads/${IMAGE_ID}?version=1&expiresMs=1790000000000&maxBytes=20971520&contentType=image%2Fjpeg&contentLength=482133&signature=q1Zb0aXk3v5m2Yt8w7Lr4Jc9Hs6Gd1Fp0Ne5Ub2Ix0E`,
  method: 'PUT',
  headers: { 'Content-Type': 'image/jpeg', 'Content-Length': '482133' },
  expiresAt: '2025-11-20T09:15:00.000Z',
  maxBytes: 20971520,
};

export const awaitedImageExample = {
  imageId: IMAGE_ID,
  status: 'awaiting_upload',
  contentType: null,
  sizeBytes: null,
  sha256: null,
  width: null,
  height: null,
  readable: null,
  unreadableReason: null,
  environment: 'test',
  createdAt: '2025-11-20T09:00:00.000Z',
  storedAt: null,
  uploadExpiresAt: '2025-11-20T09:15:00.000Z',
};

export const storedImageExample = {
  ...awaitedImageExample,
  status: 'stored',
  contentType: 'image/jpeg',
  sizeBytes: 482133,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  width: 3024,
  height: 4032,
  readable: true,
  storedAt: '2025-11-20T09:00:04.112Z',
};

export const jobRequestExample = {
  imageId: IMAGE_ID,
  clinicalContext: 'Venous leg ulcer, dressing changed today.',
  subject: {
    patientId: 'MRN-4711',
    woundId: 'W1',
    bodySite: { system: 'http://snomed.info/sct', code: '30021000', display: 'Lower leg structure' },
    laterality: 'left',
  },
  capturedAt: '2025-11-20T09:58:00+01:00',
  calibration: { mmPerPixel: 0.21 },
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
  priority: 'routine',
  metadata: { ward: '7B' },
};

const self = `${BASE}${jobPath(JOB_ID)}`;
const links = { self, image: `${BASE}/api/v1/images/${IMAGE_ID}` };
const artifactLinks = { mask: `${self}/artifacts/mask`, overlay: `${self}/artifacts/overlay` };

export const queuedJobExample = {
  id: JOB_ID,
  status: 'queued',
  imageId: IMAGE_ID,
  clinicalContext: jobRequestExample.clinicalContext,
  subject: jobRequestExample.subject,
  capturedAt: '2025-11-20T08:58:00.000Z',
  capturedAsStated: '2025-11-20T09:58:00+01:00',
  calibration: jobRequestExample.calibration,
  clinicianObservations: jobRequestExample.clinicianObservations,
  priority: 'routine',
  metadata: jobRequestExample.metadata,
  environment: 'test',
  createdAt: '2025-11-20T09:01:12.408Z',
  startedAt: null,
  completedAt: null,
  attempts: 0,
  links,
};

export const resultExample = {
  schemaVersion: '1.0',
  woundDetected: true,
  confidence: 0.984,
  quality: { acceptable: true, sharpness: 0.46, exposure: 54.2, glareShare: 0.0008, warnings: [] },
  familiarity: { score: 0.91, expectedDice: { value: 0.86, lower: 0.48, upper: 0.95 }, outlineReliable: true },
  scale: {
    source: 'client',
    mmPerPixel: 0.21,
    uncertaintyPct: 2,
    pixelToMm: [0.21, 0, 0, 0, 0.21, 0, 0, 0, 1],
    marker: null,
  },
  wounds: [
    {
      index: 0,
      confidence: 0.962,
      boundingBox: { x: 212, y: 180, width: 96, height: 60 },
      contour: {
        type: 'Polygon',
        coordinates: [
          [
            [212, 210],
            [260, 180],
            [308, 210],
            [260, 240],
            [212, 210],
          ],
        ],
      },
      area: {
        pixels: 2880,
        pixelBounds: { lower: 2390.4, upper: 3369.6 },
        cm2: { value: 1.27, lower: 1.04, upper: 1.5 },
      },
      length: { pixels: 96, cm: { value: 2.02, lower: 1.91, upper: 2.13 } },
      width: { pixels: 60, cm: { value: 1.26, lower: 1.16, upper: 1.36 } },
      perimeter: { pixels: 226.4, cm: { value: 4.75, lower: 4.43, upper: 5.08 } },
      tissue: {
        granulation: 0.713,
        slough: 0.241,
        necrosis: 0,
        other: 0.046,
        method: { granulation: 'model', slough: 'model', necrosis: 'cielab_rule', other: 'remainder' },
      } satisfies TissueComposition,
    },
  ],
  totals: { woundCount: 1, areaPixels: 2880, areaCm2: 1.27 },
  scores: null,
  followUp: null,
  artifacts: {
    mask: { url: artifactLinks.mask, contentType: 'image/png', width: 512, height: 512 },
    overlay: { url: artifactLinks.overlay, contentType: 'image/jpeg', width: 512, height: 512 },
  },
  trace: {
    models: [
      {
        name: 'wound-segmentation',
        version: '0.1.0',
        sha256: '5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592',
        researchOnly: true,
        task: 'wound-segmentation',
      },
    ],
    executionProvider: 'cpu',
    preprocessing: { inputWidth: 512, inputHeight: 512, resize: 'letterbox', colorSpace: 'srgb', crop: null },
    thresholds: { probability: 0.5, minAreaShare: 0.0003, novelty: null },
    cardBarMm: null,
    areaRepeatabilityPct: 8.1,
    timingsMs: {
      queueMs: 23,
      loadMs: 2.1,
      decodeMs: 11.4,
      inferenceMs: 117.8,
      measureMs: 6.2,
      maskMs: 3.9,
      storeMs: 1.7,
    },
  },
};

export const completedJobExample = {
  ...queuedJobExample,
  status: 'completed',
  startedAt: '2025-11-20T09:01:12.431Z',
  completedAt: '2025-11-20T09:01:12.603Z',
  attempts: 1,
  result: resultExample,
  links: { ...links, report: `${BASE}${reportPath(REPORT_ID)}`, artifacts: artifactLinks },
};

export const failedJobExample = {
  ...queuedJobExample,
  status: 'error',
  startedAt: '2025-11-20T09:01:12.431Z',
  completedAt: '2025-11-20T09:02:14.010Z',
  attempts: 3,
  error: {
    code: 'processing.timeout',
    detail: 'The analysis did not end in time. Create the job again.',
    retryable: true,
  },
};

export const jobListExample = {
  items: [completedJobExample],
  nextCursor: 'MS4xNzYzNjI5MjcyNDA4LjAxOTk3ZjJmLTBiNTItN2M0MS05ZDNlLTJhNmY4YzFlN2I5MA',
};

export const usageExample = { limit: 25, used: 1, remaining: 24, resetsAt: '2025-11-21T00:00:00.000Z' };
