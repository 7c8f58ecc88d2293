import type { TimedEvent } from '../../src/core/followup/clinical-event.js';
import type { AssessmentInSeries } from '../../src/core/followup/series-order.js';

/** How one photo of an unchanged wound differs from the next. */
export interface PhotoError {
  /** One standard deviation of the outline's area, in %. */
  readonly areaRepeatabilityPct: number;
  /** One standard deviation of the length scale, in %. */
  readonly scaleUncertaintyPct: number;
}

/** The true course of a wound, and when it is photographed. */
export interface Course {
  /**
   * `steady`: the area changes by the same share each week; `margin`: the radius of a round wound by the same length; `turning`: it falls by a
   * tenth a week for five visits, then changes by `pctPerWeek`; `stalling`: as that, and then stands still.
   */
  readonly kind: 'steady' | 'margin' | 'turning' | 'stalling';
  /** Change of the area in the first week; below 0 it shrinks. */
  readonly pctPerWeek: number;
  readonly daysApart: number;
  readonly visits: number;
  /** The visit whose photo shows the wound twice as large as it is; undefined: none. */
  readonly badVisit?: number;
  /** Depth and pain are stated at each visit, of a wound where neither changes: by ± 3 mm, and by ± 2 of 10. */
  readonly isStated?: boolean;
  /** An hour before the photo of the sixth visit, or of each: the area is then larger by 30 %, give or take 15. */
  readonly debrided?: 'once' | 'each visit';
}

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
const START = Date.UTC(2026, 0, 5, 9);
const AREAS_CM2 = { least: 2, most: 20 };
const MM_PER_CM = 10;
const BAD_FACTOR = 2;
const DEPTH_SD_CM = 0.15;
const PAIN_SD = 1;
/** What a debridement adds to the area, and by how much one differs from the next: assumed, as in area-reset.ts. */
const DEBRIDED_FACTOR = 1.3;
const DEBRIDED_SD = 0.15;
/** The visit of the one debridement, from 0. */
export const DEBRIDED_VISIT = 5;
const HOUR_MS = 3_600_000;
const FALLING_VISITS = 5;
const FALLING_FACTOR = 0.9;
const NO_BOUNDS = { lower: 0, upper: 0 };
const GOOD = { acceptable: true, sharpness: 0.5, exposure: 55, glareShare: 0, warnings: [] };

/** Numbers evenly between 0 and 1, the same for each seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A normal deviate (Box and Muller). */
function deviate(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A round wound as its photos show it. */
export interface SimulatedWound {
  readonly photos: readonly AssessmentInSeries[];
  readonly events: readonly TimedEvent[];
  /** By visit, without what debridements added. */
  readonly trueAreasCm2: readonly number[];
  /** The true advance of its margin, where that is the same all along (`margin`). */
  readonly advanceMmPerDay: number;
}

/** A wound of 2 to 20 cm², small ones as often as large. Errors of its photos are independent of each other. */
export function simulateWound(course: Course, error: PhotoError, random: () => number): SimulatedWound {
  const firstCm2 = AREAS_CM2.least * (AREAS_CM2.most / AREAS_CM2.least) ** random();
  const treated = new Debridements(course, random);
  const photos = Array.from({ length: course.visits }, (_, visit) => {
    const days = visit * course.daysApart;
    const outline = (error.areaRepeatabilityPct / 100) * deviate(random);
    const scale = ((2 * error.scaleUncertaintyPct) / 100) * deviate(random);
    const factor = Math.exp(outline + scale) * (visit === course.badVisit ? BAD_FACTOR : 1);
    const photo = photographedOn(
      visit,
      days,
      trueAreaCm2(firstCm2, course, days) * factor * treated.factorAt(visit),
      error,
    );
    return course.isStated === true ? { ...photo, observations: statedOf(random) } : photo;
  });
  const weeklyGrowth = Math.sqrt(1 + course.pctPerWeek / 100) - 1;
  return {
    photos,
    events: photos.flatMap(({ capturedAt }, visit) => (treated.isAt(visit) ? [anHourBefore(capturedAt)] : [])),
    trueAreasCm2: photos.map((_, visit) => trueAreaCm2(firstCm2, course, visit * course.daysApart)),
    advanceMmPerDay: (-radiusMm(firstCm2) * weeklyGrowth) / DAYS_PER_WEEK,
  };
}

function anHourBefore(moment: Date): TimedEvent {
  return { type: 'debridement', occurredAt: new Date(moment.getTime() - HOUR_MS) };
}

/** What debridements add to the area of one wound; draws no number for a wound without any. */
class Debridements {
  private added = 1;

  constructor(
    private readonly course: Course,
    private readonly random: () => number,
  ) {}

  isAt(visit: number): boolean {
    const { debrided } = this.course;
    return debrided === 'each visit' || (debrided === 'once' && visit === DEBRIDED_VISIT);
  }

  /** Asked for each visit in turn. */
  factorAt(visit: number): number {
    if (this.isAt(visit)) this.added = DEBRIDED_FACTOR * Math.exp(DEBRIDED_SD * deviate(this.random));
    return this.added;
  }
}

/** 1 cm deep and 4 of 10, as nurses state it: nineteen of twenty within 3 mm, and within 2. */
function statedOf(random: () => number): { depthCm: number; painNrs: number } {
  const depthCm = Math.max(0, 1 + DEPTH_SD_CM * deviate(random));
  const painNrs = Math.min(10, Math.max(0, 4 + PAIN_SD * deviate(random)));
  return { depthCm: Math.round(depthCm * 10) / 10, painNrs: Math.round(painNrs) };
}

function trueAreaCm2(firstCm2: number, { kind, pctPerWeek, daysApart }: Course, days: number): number {
  const weeks = days / DAYS_PER_WEEK;
  const weeklyFactor = 1 + pctPerWeek / 100;
  if (kind === 'steady') return firstCm2 * weeklyFactor ** weeks;
  if (kind !== 'margin') {
    const turnWeeks = ((FALLING_VISITS - 1) * daysApart) / DAYS_PER_WEEK;
    const fallen = firstCm2 * FALLING_FACTOR ** Math.min(weeks, turnWeeks);
    return kind === 'stalling' ? fallen : fallen * weeklyFactor ** Math.max(0, weeks - turnWeeks);
  }
  return firstCm2 * Math.max(1 + (Math.sqrt(weeklyFactor) - 1) * weeks, 0) ** 2;
}

function radiusMm(areaCm2: number): number {
  return Math.sqrt(areaCm2 / Math.PI) * MM_PER_CM;
}

/** The assessment of a photo of so many cm². */
export function photographedOn(visit: number, days: number, areaCm2: number, error: PhotoError): AssessmentInSeries {
  const perimeterCm = (2 * Math.PI * radiusMm(areaCm2)) / MM_PER_CM;
  const length = { pixels: 0, cm: stated(perimeterCm) };
  return {
    reportId: `r${visit}`,
    jobId: `j${visit}`,
    imageId: `i${visit}`,
    capturedAt: new Date(START + days * DAY_MS),
    findings: {
      woundDetected: true,
      outlineSource: 'model',
      ambiguous: false,
      figures: {
        area: { pixels: 0, pixelBounds: NO_BOUNDS, cm2: stated(areaCm2) },
        perimeter: length,
        length,
        width: length,
      },
      tissue: null,
      confirmedTissues: [],
      quality: GOOD,
      areaRepeatabilityPct: error.areaRepeatabilityPct,
      scale: { source: 'marker', uncertaintyPct: error.scaleUncertaintyPct },
      model: 'simulated/1',
      familiarity: null,
    },
    stated: { woundRef: 'wound', bodySite: null, laterality: null },
    reviewed: false,
    woundType: null,
    observations: null,
  };
}

/** To hundredths, as results state it. */
function stated(value: number) {
  const rounded = Math.round(value * 100) / 100;
  return { value: rounded, lower: rounded, upper: rounded };
}
