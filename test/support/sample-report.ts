import sharp from 'sharp';
import type { CodedConcept } from '../../src/core/analysis/analysis-job.js';
import type { ClinicianObservations } from '../../src/core/analysis/clinician-observations.js';
import type { QualityWarning } from '../../src/core/measurement/wound-result.js';
import type { AssessmentFindings } from '../../src/core/followup/assessment.js';
import type { TimedEvent } from '../../src/core/followup/clinical-event.js';
import { followSeries } from '../../src/core/followup/verdict.js';
import type { AssessmentInSeries } from '../../src/core/followup/series-order.js';
import type {
  ClinicalReport,
  ReportContent,
  ReportReading,
  TrendPoint,
} from '../../src/core/report/clinical-report.js';
import type { CourseReport } from '../../src/core/report/clinical-report.js';
import type { ReportPicture, ReportPictures } from '../../src/core/report/clinical-report.js';
import { isAreaDoubtful } from '../../src/core/report/photo-trust.js';
import { isConfirmed } from '../../src/core/report/review.js';
import type { Closure } from '../../src/core/followup/wound-closure.js';
import type { TissueComposition } from '../../src/core/tissue/tissues.js';
import { drawWoundPhoto } from './wound-photo.js';

const DAY_MS = 86_400_000;
/** Each picture is drawn once. */
const drawnPictures = new Map<string, Promise<Buffer>>();
export const FIRST_PHOTO_AT = new Date('2025-09-03T07:05:09Z');
export const DIABETIC_FOOT_ULCER: CodedConcept = {
  system: 'http://snomed.info/sct',
  code: '280137006',
  display: 'Diabetic foot ulcer',
};

export const SUBJECT: ReportContent['subject'] = {
  patient: { system: 'urn:oid:2.16.840.1.113883.2.9', value: 'MRN-0047-1182' },
  woundRef: '0199aaaa-0000-7000-8000-00000000f00d',
  woundId: 'ward-7/heel-left',
  woundIdSystem: 'https://hospital.example/wounds',
  bodySite: { system: 'http://snomed.info/sct', code: '84607009', display: 'Heel' },
  laterality: 'left',
  woundType: DIABETIC_FOOT_ULCER,
};

const MODEL = {
  name: 'wound-segmentation-fast',
  version: '0.2.0',
  sha256: 'a'.repeat(64),
  researchOnly: true,
} as const;

const TISSUE: TissueComposition = {
  granulation: 0.583,
  slough: 0.271,
  necrosis: 0.038,
  other: 0.108,
  method: { granulation: 'model', slough: 'model', necrosis: 'cielab_rule', other: 'remainder' },
};

/** A measurement whose bounds are 15 % away on either side. */
function measured(value: number) {
  const round = (number: number) => Math.round(number * 100) / 100;
  return { value: round(value), lower: round(value * 0.85), upper: round(value * 1.15) };
}

/** What a photo of a wound of this area says. */
export function findingsWithArea(areaCm2: number, wish: Partial<AssessmentFindings> = {}): AssessmentFindings {
  const lengthCm = 2 * Math.sqrt(areaCm2 / Math.PI) * 1.3;
  return {
    photo: { widthPx: 480, heightPx: 360 },
    woundDetected: true,
    outlines: [
      {
        type: 'Polygon',
        coordinates: [
          [
            [10, 10],
            [90, 10],
            [90, 90],
            [10, 10],
          ],
        ],
      },
    ],
    outlineSource: 'model',
    otherOutlines: 0,
    ambiguous: false,
    figures: {
      area: { pixels: 4321.5, pixelBounds: { lower: 4000, upper: 4700 }, cm2: measured(areaCm2) },
      length: {
        pixels: 123.4,
        cm: measured(lengthCm),
        line: [
          [10, 10],
          [90, 90],
        ],
      },
      width: {
        pixels: 77.7,
        cm: measured(lengthCm / 1.69),
        line: [
          [70, 30],
          [90, 10],
        ],
      },
      perimeter: { pixels: 333.3, cm: measured(lengthCm * 2.6) },
    },
    tissue: TISSUE,
    confirmedTissues: [],
    push: null,
    confidence: 0.934,
    quality: {
      acceptable: true,
      sharpness: 0.412,
      exposure: 56.3,
      glareShare: 0.0012,
      warnings: ['multiple_outlines'] as QualityWarning[],
    },
    scale: {
      source: 'marker',
      mmPerPixel: 0.2137,
      uncertaintyPct: 0.84,
      pixelToMm: [0.2137, 0, 0, 0, 0.2137, 0, 0, 0, 1],
      marker: { status: 'used', card: 'a4', markerIds: [0, 1], tiltDegrees: 7.4, reason: null },
    },
    areaRepeatabilityPct: 6.5,
    model: `${MODEL.name}/${MODEL.version}`,
    ...wish,
  };
}

/** A photo with wounds of these areas, of which the first counts, unless others are named. */
export function findingsWithWounds(areasCm2: readonly number[], counted: readonly number[] = [1]): AssessmentFindings {
  const wounds = areasCm2.map((areaCm2, index) => {
    const { figures, confidence, tissue } = findingsWithArea(areaCm2);
    return { number: index + 1, counted: counted.includes(index + 1), figures: figures!, confidence, tissue };
  });
  return findingsWithArea(areasCm2[0]!, { otherOutlines: areasCm2.length - counted.length, wounds });
}

/** A photo on which nothing was outlined. */
export function findingsWithoutWound(): AssessmentFindings {
  return findingsWithArea(1, {
    woundDetected: false,
    outlines: [],
    figures: null,
    tissue: null,
    confidence: null,
    quality: { acceptable: true, sharpness: 0.412, exposure: 56.3, glareShare: 0, warnings: ['no_wound'] },
  });
}

/** A photo without a scale: pixels, and no centimetre anywhere. */
export function findingsWithoutScale(): AssessmentFindings {
  const { figures } = findingsWithArea(9);
  const without = <T extends object>(measure: T) => ({ ...measure, cm: null });
  return findingsWithArea(9, {
    figures: figures && {
      area: { ...figures.area, cm2: null },
      length: without(figures.length),
      width: without(figures.width),
      perimeter: without(figures.perimeter),
    },
    scale: { source: 'none', mmPerPixel: null, uncertaintyPct: null, pixelToMm: null, marker: null },
    quality: { acceptable: true, sharpness: 0.412, exposure: 56.3, glareShare: 0, warnings: ['no_scale'] },
  });
}

export interface SeriesOptions {
  /** One a photo; a number is an area in cm². */
  readonly weeks: readonly (number | AssessmentFindings)[];
  readonly woundType?: CodedConcept | null;
  readonly closures?: readonly Closure[];
  readonly events?: readonly TimedEvent[];
  /** What a clinician stated at each photo; absent: the same at all. */
  readonly observed?: readonly (ClinicianObservations | null)[];
  readonly content?: Partial<ReportContent>;
  readonly report?: Partial<ClinicalReport>;
}

/** Weekly reports of one wound, compared by the same functions as real ones; oldest first. */
export function reportsOf({
  weeks,
  woundType = DIABETIC_FOOT_ULCER,
  closures = [],
  events = [],
  observed,
  content,
  report,
}: SeriesOptions): ClinicalReport[] {
  const series = weeks.map((week, index) => ({
    ...inSeries(typeof week === 'number' ? findingsWithArea(week) : week, index),
    woundType,
    reviewed: isConfirmed(content?.review ?? null),
    observations: observed === undefined ? (content?.clinicianObservations ?? null) : (observed[index] ?? null),
  }));
  const { comparisons, flags } = followSeries(series, closures, events);
  return series.map(({ reportId, jobId, imageId, capturedAt, findings, stated }, index) => {
    const comparison = comparisons.get(reportId)!;
    return {
      organizationId: '0199aaaa-0000-7000-8000-000000000001',
      environment: 'test',
      id: reportId,
      version: 1,
      status: 'preliminary',
      reason: 'created',
      jobId,
      imageId,
      replaces: null,
      replacedBy: null,
      issuedAt: new Date(capturedAt.getTime() + 61_000 + index),
      content: {
        subject: { ...SUBJECT, woundType },
        stated,
        capturedAt: capturedAt.toISOString(),
        clinicalContext:
          'Neuropathic ulcer, off-loading since July. Ankle-brachial index 0.9. Dressing: foam, changed every other day.',
        clinicianObservations: { depthCm: 0.4, lengthCm: 4.5, widthCm: 3, exudate: 'moderate', painNrs: 3 },
        findings,
        comparison,
        flags: flags.get(reportId)!,
        review: null,
        models: [MODEL],
        ...content,
        ...(observed === undefined ? {} : { clinicianObservations: observed[index] ?? null }),
      },
      ...report,
    };
  });
}

/** The reading of the last of these reports. */
export function readingOf(reports: readonly ClinicalReport[]): ReportReading {
  const report = reports[reports.length - 1]!;
  const place = { sequence: reports.length, readAt: report.issuedAt };
  return { report, heading: null, presentVersion: report.version, ...place, trend: trendOf(reports) };
}

export function courseOf(reports: readonly ClinicalReport[], wish: Partial<CourseReport> = {}): CourseReport {
  const subject = reports[reports.length - 1]?.content.subject ?? SUBJECT;
  return {
    heading: null,
    subject,
    from: null,
    to: null,
    issuedAt: new Date('2025-12-01T10:00:00Z'),
    reports,
    trend: trendOf(reports),
    ...wish,
  };
}

/** A drawn photo with an outline, as documents get it. */
export async function samplePicture(
  seed: number,
  capturedAt = FIRST_PHOTO_AT,
  size: { width: number; height: number } = { width: 480, height: 360 },
): Promise<ReportPicture> {
  const { width, height } = size;
  const name = `${seed}: ${width} × ${height}`;
  const drawn = drawnPictures.get(name) ?? drawPicture(seed, width, height);
  drawnPictures.set(name, drawn);
  const bytes = await drawn;
  return {
    imageId: `image-${seed}`,
    bytes,
    widthPx: width,
    heightPx: height,
    capturedAt,
    widthCm: null,
    scaleBarMm: null,
  };
}

async function drawPicture(seed: number, width: number, height: number): Promise<Buffer> {
  const outline = { input: drawnEllipse(width, height), raw: { width, height, channels: 4 as const } };
  return sharp(await drawWoundPhoto({ seed, width, height }))
    .composite([outline])
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** The pictures of a report with an earlier photo beside its own. */
export async function samplePictures(
  present: { width: number; height: number } = { width: 480, height: 360 },
  earlier = present,
): Promise<ReportPictures> {
  const [current, previous] = [await samplePicture(1, undefined, present), await samplePicture(2, undefined, earlier)];
  const scale = { widthCm: 6, scaleBarMm: 20 };
  return {
    overview: { ...current, scaleBarMm: 50, widthCm: 20 },
    closeUp: { ...current, ...scale },
    tissueMap: { ...current, ...scale },
    compared: [
      { place: 'previous', picture: { ...previous, ...scale }, areaCm2: 9 },
      { place: 'current', picture: { ...current, ...scale }, areaCm2: 8 },
    ],
  };
}

/** RGBA; not SVG, whose decoder the service locks for the whole process. */
function drawnEllipse(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const x = ((at % width) - width / 2) / (0.2 * width);
    const y = (Math.floor(at / width) - height / 2) / (0.15 * height);
    const away = Math.sqrt(x * x + y * y);
    if (Math.abs(away - 1) < 0.025) pixels.set([0x00, 0xe5, 0xff, 0xff], 4 * at);
  }
  return pixels;
}

function inSeries(
  findings: AssessmentFindings,
  index: number,
): Omit<AssessmentInSeries, 'woundType' | 'reviewed' | 'observations'> & { readonly findings: AssessmentFindings } {
  const id = (kind: string) => `0199bbbb-0000-7000-8000-${kind}${String(index).padStart(8, '0')}`;
  return {
    reportId: id('aaaa'),
    jobId: id('bbbb'),
    imageId: id('cccc'),
    capturedAt: new Date(FIRST_PHOTO_AT.getTime() + index * 7 * DAY_MS),
    findings,
    stated: { woundRef: SUBJECT.woundRef, bodySite: SUBJECT.bodySite, laterality: SUBJECT.laterality },
  };
}

function trendOf(reports: readonly ClinicalReport[]): TrendPoint[] {
  return reports.flatMap(({ id, content }) => {
    const areaCm2 = content.comparison.noTrendReason === null ? content.findings.figures?.area.cm2 : null;
    return areaCm2
      ? [
          {
            reportId: id,
            capturedAt: new Date(content.capturedAt),
            areaCm2,
            isDoubtful: isAreaDoubtful(content.findings, isConfirmed(content.review)),
            isFlagged: content.flags.length > 0,
            closure: content.comparison.closure,
            reset: content.comparison.reset,
          },
        ]
      : [];
  });
}
