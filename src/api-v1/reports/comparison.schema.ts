import { z } from 'zod';
import { measuredSchema } from '../analysis/result.schema.js';

const moment = z.iso.datetime();

export const areaChangeSchema = z
  .looseObject({
    days: z.number(),
    areaCm2: z.number(),
    areaPct: z.number().describe('Below 0: smaller than then.'),
    areaCm2PerWeek: z.number().nullable().describe('null within half a day.'),
    marginAdvanceMmPerDay: z
      .number()
      .nullable()
      .describe('Area lost ÷ mean perimeter ÷ days; below 0: the margin retreated.'),
    minimalDetectableChangePct: z
      .number()
      .min(0)
      .describe('A smaller change may come from taking the photo anew (95 %).'),
    beyondDetectable: z.boolean(),
    warnings: z.array(z.string()).describe('other_scale_source, poor_quality, other_model_version; more may come.'),
  })
  .meta({ id: 'AreaChange', description: 'The change of a wound’s area between two photos.' });

const seriesPointSchema = z
  .looseObject({
    reportId: z.string(),
    jobId: z.string(),
    imageId: z.string(),
    capturedAt: moment,
    areaCm2: measuredSchema,
  })
  .meta({ id: 'SeriesPoint', description: 'An earlier assessment.' });

export const comparisonSchema = z
  .looseObject({
    noTrendReason: z
      .string()
      .nullable()
      .describe('no_wound_outlined, multiple_outlines or no_scale; null: the area stands in the series.'),
    previous: seriesPointSchema.nullable(),
    baseline: seriesPointSchema.nullable(),
    sincePrevious: areaChangeSchema.nullable(),
    sinceBaseline: areaChangeSchema.nullable(),
    trend: z
      .string()
      .nullable()
      .describe('smaller, larger or within_detectable_change; null where the two are not comparable.'),
  })
  .meta({ id: 'SeriesComparison', description: 'Against the wound’s earlier photos.' });

export const flagSchema = z
  .looseObject({
    code: z
      .string()
      .describe(
        'area_reduction_below_50_at_4_weeks, area_reduction_below_90_at_8_weeks, area_growth, necrosis_rising; more may come.',
      ),
    value: z.number().describe('What was measured: a change in %, or of a share in percentage points.'),
    days: z.number(),
    evidence: z.array(z.string()).describe('sheehan-2003, coerper-2009, warriner-2011: see docs/follow-up.md.'),
    evidenceFor: z.string().nullable().describe('diabetic_foot_ulcer; null: a plain comparison of two measurements.'),
    woundTypeKnown: z
      .boolean()
      .describe(
        'false: nobody said what kind of wound it is, so whether the evidence holds is for the reader to judge.',
      ),
  })
  .meta({ id: 'FollowUpFlag', description: 'Something worth a clinician’s look; never a prediction.' });

export const COMPARISON_SCHEMAS = [areaChangeSchema, seriesPointSchema, comparisonSchema, flagSchema];
