import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

const CORE = resolve(import.meta.dirname, '../../dist/src/core');
const { findingsOf } = await import(`${CORE}/followup/assessment.js`);
const { NOTHING_COMPARED } = await import(`${CORE}/followup/series.js`);
const { assembleWoundResult } = await import(`${CORE}/measurement/assemble-result.js`);
const { measureOutline } = await import(`${CORE}/measurement/measure-wounds.js`);
const { clientScale } = await import(`${CORE}/measurement/plane-scale.js`);
const { placeInSeries } = await import(`${CORE}/report/report-series.js`);

/** Assessments of a wound that is followed for years. */
export const LONG = 500;
const DAY_MS = 86_400_000;
const DAYS_APART = 3.5;
const PHOTO = { widthPx: 1152, heightPx: 864 };
const PICTURE = { contentType: 'image/jpeg', width: PHOTO.widthPx, height: PHOTO.heightPx };
/** Points of an outline as 40 photos of feet gave them (model fast 0.3.0): from 99 to 617, half of them below 240. */
const POINTS = { median: 240, spread: 0.5, least: 99, most: 617 };
const TISSUE = {
  granulation: 0.583,
  slough: 0.271,
  necrosis: 0.038,
  other: 0.108,
  method: { granulation: 'model', slough: 'model', necrosis: 'cielab_rule', other: 'remainder' },
};
const MODELS = ['wound-segmentation-fast', 'tissue-segmentation'].map((name) => ({
  name,
  version: '0.3.0',
  sha256: 'ab'.repeat(32),
  researchOnly: true,
}));
/** Where the wound is, and of what kind. */
export const SITE = {
  bodySite: { code: '84607009', display: 'Heel' },
  laterality: 'left',
  woundType: { code: '280137006' },
};
const CONTEXT =
  'Neuropathic ulcer, off-loading since July. Ankle-brachial index 0.9. Dressing: foam, changed every other day.';

/** Results of photos of a wound that shrinks, twice a week up to now, measured by the service's own functions; always the same. */
export function drawSeries(length = LONG) {
  const random = uniformFrom(20251121);
  const start = Date.now() - length * DAYS_APART * DAY_MS;
  return Array.from({ length }, (_, index) => ({
    capturedAt: new Date(start + index * DAYS_APART * DAY_MS),
    result: drawResult(200 * (1 - 0.6 * (index / length)) * (1 + 0.05 * (random() - 0.5)), pointsFrom(random)),
  }));
}

/** The reports of such a series as the service would have written them: each of a photo of its own, in their places, compared with those before. */
export function composeReports(series, { id, tenant, woundId, patient }) {
  const subject = {
    patient,
    woundRef: id,
    woundId,
    woundIdSystem: '',
    ...SITE,
  };
  const drawn = series.map(({ capturedAt, result }) => ({
    organizationId: tenant.organizationId,
    environment: 'test',
    id: randomUUID(),
    version: 1,
    status: 'preliminary',
    reason: 'created',
    jobId: randomUUID(),
    imageId: randomUUID(),
    replaces: null,
    replacedBy: null,
    issuedAt: capturedAt,
    content: {
      subject,
      stated: { woundRef: subject.woundRef, bodySite: subject.bodySite, laterality: subject.laterality },
      capturedAt: capturedAt.toISOString(),
      clinicalContext: CONTEXT,
      clinicianObservations: { depthCm: 0.4, lengthCm: 4.5, widthCm: 3, exudate: 'moderate', painNrs: 3 },
      findings: findingsOf(result),
      comparison: NOTHING_COMPARED,
      flags: [],
      review: null,
      models: MODELS,
    },
  }));
  const places = placeInSeries(drawn, { id, woundId, woundIdSystem: '', patient });
  return drawn.map((report) => ({ ...report, content: { ...report.content, ...places.get(report.id) } }));
}

function drawResult(radiusPx, points) {
  const outer = Array.from({ length: points }, (_, index) => {
    const angle = (2 * Math.PI * index) / points;
    const away = radiusPx * (1 + 0.1 * Math.sin(3 * angle));
    return [PHOTO.widthPx / 2 + 1.3 * away * Math.cos(angle), PHOTO.heightPx / 2 + away * Math.sin(angle)];
  });
  const scale = clientScale(0.2);
  const measured = measureOutline(
    { outer, holes: [], area: 1.3 * Math.PI * radiusPx ** 2 },
    { below: 0.1, above: 0.1 },
    scale,
  );
  return assembleWoundResult({
    photo: PHOTO,
    wounds: [{ index: 0, confidence: 0.962, ...measured, tissue: TISSUE }],
    setAside: [],
    confidence: 0.984,
    scale: { scale, marker: null, mismatch: false },
    figures: { sharpness: 0.46, exposure: 54.2, highlight: 80, darkShare: 0, clippedShare: 0, glareShare: 0.0008 },
    unfamiliar: false,
    familiarity: { score: 0.94, expectedDice: { value: 0.9, lower: 0.78, upper: 0.95 }, outlineReliable: true },
    artifacts: { mask: PICTURE, overlay: PICTURE },
    push: null,
    trace: {
      models: MODELS,
      executionProvider: 'cpu',
      preprocessing: { inputWidth: 512, inputHeight: 512, resize: 'letterbox', colorSpace: 'srgb', crop: null },
      thresholds: { probability: 0.5, minAreaShare: 0.0003, novelty: null },
      areaRepeatabilityPct: 6.5,
      cardBarMm: null,
      timingsMs: {},
    },
  });
}

/** Log-normal, cut at both ends. */
function pointsFrom(random) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(Math.min(POINTS.most, Math.max(POINTS.least, POINTS.median * Math.exp(POINTS.spread * normal))));
}

/** mulberry32: the same numbers in every run. */
function uniformFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
