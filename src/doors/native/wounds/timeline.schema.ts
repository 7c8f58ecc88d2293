import { z } from 'zod';
import type { LengthMeasure } from '../../../core/measurement/measures.js';
import { measuredSchema, qualitySchema, tissueSchema } from '../analysis/result.schema.js';
import {
  areaChangeSchema,
  areaSlopeSchema,
  ATTENTION,
  courseSchema,
  flagSchema,
  areaRelationSchema,
  ageGroupSchema,
  unconfirmedNecrosisSchema,
  resetSchema,
} from '../reports/comparison.schema.js';
import { woundSchema } from './wound.schema.js';
import { asStated } from '../subject/as-stated.schema.js';

/** A measure of an assessment, on the plane of the skin. */
export type MeasureField = 'areaCm2' | `${LengthMeasure}Cm`;

const moment = z.iso.datetime();
const inCentimetres = measuredSchema.nullable();

const MEASURE_SCHEMAS = {
  areaCm2: inCentimetres.describe('null without an outline or a scale.'),
  lengthCm: inCentimetres,
  widthCm: inCentimetres,
  perimeterCm: inCentimetres,
} satisfies Record<MeasureField, z.ZodType>;

const assessmentSchema = z
  .looseObject({
    sequence: z
      .int()
      .min(1)
      .describe('In the whole series, oldest photo first; the same for all analyses of one photo.'),
    capturedAt: moment,
    capturedAsStated: asStated,
    jobId: z.string(),
    imageId: z.string(),
    reportId: z.string(),
    reportVersion: z.int().min(1),
    reportStatus: z.string().describe('preliminary, final, amended or corrected.'),
    woundDetected: z.boolean(),
    ...MEASURE_SCHEMAS,
    areaPixels: z.number().min(0).nullable(),
    tissue: tissueSchema.nullable(),
    confirmedTissues: z.array(z.string()).describe('Those whose share a clinician stated.'),
    quality: qualitySchema,
    scaleSource: z.string(),
    model: z.string(),
    outlineSource: z.string().describe('model, reviewer_choice or reviewer_contour.'),
    noTrendReason: z
      .string()
      .nullable()
      .describe(
        'no_wound_outlined, multiple_outlines, no_scale, day_unknown, awaiting_confirmation or superseded; null: the area stands in the series.',
      ),
    attention: ATTENTION,
    sincePrevious: areaChangeSchema.nullable(),
    sinceBaseline: areaChangeSchema.nullable(),
    sinceSmallest: areaChangeSchema.nullable(),
    slope: areaSlopeSchema.nullable(),
    trendBasis: z.string().nullable().describe('slope or pair.'),
    supersededBy: z.string().nullable().describe('The report of the same photo that stands in place of this one.'),
    ageGroup: ageGroupSchema,
    reset: resetSchema.optional(),
    relation: areaRelationSchema.optional(),
    unconfirmedNecrosis: unconfirmedNecrosisSchema.optional(),
    trend: z
      .string()
      .nullable()
      .describe('smaller, larger or within_detectable_change; null where two photos are not comparable.'),
    course: courseSchema.nullable().describe('null in reports by rules 1 to 3.'),
    flags: z.array(flagSchema),
    links: z.looseObject({ job: z.url(), report: z.url() }),
  })
  .meta({ id: 'TimelineAssessment', description: 'One photo in the series of its wound, as it stands now.' });

export const timelineSchema = z
  .looseObject({
    wound: woundSchema.describe('The wound asked for, or the one that it was merged into.'),
    assessments: z
      .array(assessmentSchema)
      .describe('Oldest photo first, by capture time; without those entered in error.'),
  })
  .meta({ id: 'WoundTimeline', description: 'Decision support, not a diagnosis.' });

export const TIMELINE_SCHEMAS = [timelineSchema, assessmentSchema];
