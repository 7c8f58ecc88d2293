import { z } from 'zod';
import { CLOSURE_REASONS } from '../../../core/followup/wound.js';
import { measuredSchema } from '../analysis/result.schema.js';
import { asStated } from '../subject/as-stated.schema.js';

const moment = z.iso.datetime();

const intervalSchema = z.looseObject({ lower: z.number(), upper: z.number() });
const estimateSchema = intervalSchema.extend({ value: z.number() });

export const areaSlopeSchema = z
  .looseObject({
    assessments: z.int().min(3).describe('That it rests on, this one included.'),
    days: z.number().describe('From the first of them to this one: at most 56.'),
    pctPerWeek: estimateSchema.describe('Change of the area in % a week, with its 90 % interval; below 0 it shrinks.'),
    marginAdvanceMmPerDay: estimateSchema.nullable().describe('Below 0: the margin retreats.'),
    isGrowth: z
      .boolean()
      .describe('The 97 % interval lies above 0, of areas that treatments left that of 99 %; 95 % by rules 1 to 3.'),
  })
  .meta({ id: 'AreaSlope', description: 'The course of the area over at least three comparable assessments.' });

const assessmentLinkSchema = z
  .looseObject({
    reportId: z.string(),
    jobId: z.string(),
    imageId: z.string(),
    capturedAt: moment,
    capturedAsStated: asStated,
  })
  .meta({ id: 'AssessmentLink', description: 'Another assessment of the wound, measured or not.' });

const closureSchema = z
  .looseObject({
    closedAt: moment,
    reopenedAt: moment.nullable().describe('null: nobody has reopened it.'),
    reason: z.enum(CLOSURE_REASONS).optional().describe('Absent: not said, which counts as other.'),
  })
  .meta({ id: 'WoundClosure', description: 'A person had closed the wound before this photo was taken.' });

export const areaChangeSchema = z
  .looseObject({
    days: z.number(),
    areaCm2: z.number(),
    areaPct: z.number().describe('Below 0: smaller than then.'),
    areaPctInterval: intervalSchema
      .optional()
      .describe('Holds the true change in nine of ten cases; absent in reports of release 0.1.'),
    areaCm2PerWeek: z.number().nullable().describe('null within half a day.'),
    marginAdvanceMmPerDay: z
      .number()
      .nullable()
      .describe('Area lost ÷ mean perimeter ÷ days; below 0: the margin retreated.'),
    minimalDetectableChangePct: z
      .number()
      .min(0)
      .describe('A change in this direction that is smaller may come from taking the photo anew (95 %).'),
    beyondDetectable: z.boolean(),
    warnings: z
      .array(z.string())
      .describe(
        'other_scale_source, poor_quality, other_model_version, doubtful_outline, treated_between; more may come.',
      ),
  })
  .meta({ id: 'AreaChange', description: 'The change of a wound’s area between two photos.' });

const summedSchema = z.array(z.looseObject({ woundRef: z.string(), reportId: z.string(), areaCm2: z.number().min(0) }));

const seriesPointSchema = z
  .looseObject({
    reportId: z.string(),
    jobId: z.string(),
    imageId: z.string(),
    capturedAt: moment,
    capturedAsStated: asStated,
    areaCm2: measuredSchema,
    sumOf: summedSchema
      .optional()
      .describe('The area is that of several wounds which have grown together since; absent: of one.'),
  })
  .meta({ id: 'SeriesPoint', description: 'An earlier assessment.' });

/** Why a result waits for a person. */
export const ATTENTION = z
  .array(z.string())
  .describe(
    'site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible, before_birth, sandbox: a person accepts, corrects, rejects or reassigns it first; empty: does not wait.',
  );

const reasonSchema = z
  .looseObject({
    domain: z
      .string()
      .describe(
        'area, depth, undermining, tunnelling, tissue, exudate, odour, pain, periwound, edges, infection or stage; more may come.',
      ),
    what: z.string().describe('What changed within its domain; docs/follow-up.md lists the codes.'),
    direction: z
      .string()
      .describe(
        'better, worse, persists: no wound that has it is improving; or reset: a treatment, a joining or a splitting changed it.',
      ),
    from: z.unknown().describe('A figure in `unit`, or a word of the contract; null: not stated then.'),
    to: z.unknown().describe('As `from`.'),
    unit: z.string().nullable().describe('cm2, cm, percent, of_ten or count; null: words of the contract.'),
    days: z.number().describe('0: nothing is compared.'),
    interval: intervalSchema.nullable().describe('Of the change of the area in %, by slope in % a week (90 %).'),
    comparedWithReportId: z.string().nullable(),
    signs: z.array(z.string()).optional().describe('Of coded signs of infection: those that are there.'),
  })
  .meta({ id: 'CourseReason', description: 'One finding that the verdict rests on.' });

export const courseSchema = z
  .looseObject({
    verdict: z
      .string()
      .describe('improving, unchanged, worsening, mixed, closed (healed), ended, reopened or unknown.'),
    since: moment.describe(
      'The first photo of this unbroken verdict; of closed, ended and reopened when it was decided.',
    ),
    because: z.array(reasonSchema).describe('Worse first.'),
    waitsFor: z
      .array(z.string())
      .describe('What a person has to say first: a reason of attention, or of noTrendReason; empty: nothing.'),
  })
  .meta({ id: 'Course', description: 'Better or worse, from all that is known: decision support, not a diagnosis.' });

export const resetSchema = z
  .looseObject({
    type: z.string().describe('debridement, graft or surgery.'),
    occurredAt: z.iso.datetime(),
    baselineReportId: z.string().describe('The first area after it, which the areas since are compared with.'),
    change: areaChangeSchema
      .nullable()
      .describe('On that area itself: from the last one before, neither better nor worse; else null.'),
    beforeReportId: z.string().nullable().describe('What that change is from.'),
  })
  .meta({ id: 'AreaReset', description: 'A treatment by which the area counts anew; absent: none.' });

const relatedAreaSchema = z
  .looseObject({
    capturedAt: moment,
    capturedAsStated: asStated,
    areaCm2: measuredSchema,
    sumOf: summedSchema.optional().describe('What it adds up; absent: the area of one wound.'),
  })
  .meta({ id: 'RelatedArea', description: 'An area of the course of a wound that is not of its number alone.' });

export const areaRelationSchema = z
  .looseObject({
    kind: z.string().describe('joined or split.'),
    at: z.iso.datetime(),
    wounds: z.array(z.string()).describe('joined: those that grew together; split: the one that it was part of.'),
    change: areaChangeSchema
      .nullable()
      .describe(
        'On the first area after it: from the sum of what grew together, or from the wound before to the sum of its parts; else null.',
      ),
    sumOf: summedSchema.describe('What is added up for that change.'),
    areaCm2: z.number().nullable().describe('What that change is to.'),
    beforeReportId: z.string().nullable().describe('What that change is from.'),
    before: z
      .array(relatedAreaSchema)
      .optional()
      .describe(
        'On the first area after it, for its curve: the sums of what grew together, or the areas of the wound that it was part of under another number; the first of all and the newest, 52 at most; absent elsewhere.',
      ),
    together: relatedAreaSchema
      .optional()
      .describe('Of a split all parts together on the first area after it; absent where they are not all known.'),
  })
  .meta({
    id: 'AreaRelation',
    description: 'What grew together or fell apart, by which the area counts anew; absent: nothing.',
  });

export const ageGroupSchema = z
  .string()
  .optional()
  .describe(
    'Of the patient on the photo, by the birth date of their record: newborn (under a month), infant (under a year), under_5, under_10, under_15 or under_18; absent: an adult, or no birth date is known.',
  );

export const unconfirmedNecrosisSchema = z
  .looseObject({
    fromPct: z.number().min(0).nullable().describe('null: no earlier photo whose tissue can be trusted.'),
    toPct: z.number().min(0),
    days: z.number().describe('0: nothing is compared.'),
    comparedWithReportId: z.string().nullable(),
  })
  .meta({
    id: 'UnconfirmedNecrosis',
    description:
      'So much necrosis, by the software alone, that a person should look: 20 points more than last time, or a quarter of the bed that no clinician ever stated. It changes no verdict and raises no flag; absent: none.',
  });

export const comparisonSchema = z
  .looseObject({
    noTrendReason: z
      .string()
      .nullable()
      .describe(
        'no_wound_outlined, multiple_outlines, no_scale, day_unknown, awaiting_confirmation, superseded or withdrawn; null: the area stands in the series.',
      ),
    rules: z.int().describe('Edition of the rules of docs/follow-up.md; 1 is that of release 0.1.'),
    attention: ATTENTION,
    previousAssessment: assessmentLinkSchema.nullable().describe('The photo before, measured or not.'),
    previous: seriesPointSchema
      .nullable()
      .describe('The last assessment that this one can be compared with, safely where there is one.'),
    baseline: seriesPointSchema.nullable().describe('The first area, since the wound was last closed.'),
    smallest: seriesPointSchema
      .nullable()
      .describe('The smallest area before this one that it is safely compared with.'),
    sincePrevious: areaChangeSchema.nullable(),
    sinceBaseline: areaChangeSchema.nullable(),
    sinceSmallest: areaChangeSchema.nullable(),
    slope: areaSlopeSchema.nullable(),
    trend: z
      .string()
      .nullable()
      .describe('smaller, larger or within_detectable_change; null where the two are not comparable.'),
    trendBasis: z.string().nullable().describe('slope, where there are three comparable assessments, else pair.'),
    supersededBy: z.string().nullable().describe('The report of the same photo that stands in place of this one.'),
    supersedes: z.string().nullable().describe('The report of the same photo that this one stands in place of.'),
    closure: closureSchema.nullable(),
    ageGroup: ageGroupSchema,
    reset: resetSchema.optional(),
    relation: areaRelationSchema.optional(),
    unconfirmedNecrosis: unconfirmedNecrosisSchema.optional(),
    raisedBefore: z
      .array(z.string())
      .optional()
      .describe(
        'Of what wound.attention tells: codes of flags, the verdict, what is worse and unconfirmed_necrosis, where an earlier photo has told it; absent: nothing.',
      ),
    course: courseSchema.optional().describe('Absent in reports by rules 1 to 3.'),
  })
  .meta({ id: 'SeriesComparison', description: 'Against the wound’s earlier photos.' });

export const flagSchema = z
  .looseObject({
    code: z
      .string()
      .describe(
        'area_reduction_below_50_at_4_weeks, area_reduction_below_90_at_8_weeks, area_reduction_below_40_at_4_weeks, area_growth, area_growth_since_baseline, area_growth_since_smallest, area_growth_by_slope, stalled_14_days, stalled_28_days, necrosis_rising, reopened, infection_signs_recorded, size_mismatch; more may come.',
      ),
    value: z
      .number()
      .describe(
        'What was measured: a change in %, by slope in % a week, of a share in percentage points; days since the wound was closed; number of signs; factor between two sizes.',
      ),
    interval: intervalSchema.nullable().optional().describe('Holds the true value in nine of ten cases.'),
    days: z.number(),
    comparedWith: z.string().nullable().optional().describe('previous, baseline, smallest, earlier or slope.'),
    comparedWithReportId: z.string().nullable().optional(),
    words: z.array(z.string()).optional().describe('As a clinician recorded them.'),
    evidence: z
      .array(z.string())
      .describe(
        'sheehan-2003, coerper-2009, warriner-2011, phillips-2000, kantor-2000, cardinal-2008: see docs/follow-up.md.',
      ),
    evidenceFor: z
      .string()
      .nullable()
      .describe('diabetic_foot_ulcer or venous_leg_ulcer; null: a plain comparison of two measurements.'),
    woundTypeKnown: z
      .boolean()
      .describe(
        'false: the stated kind (neuropathic ulcer; in reports of earlier releases none) may be another one, so whether the evidence holds is for the reader to judge.',
      ),
  })
  .meta({ id: 'FollowUpFlag', description: 'Something worth a clinician’s look; never a prediction.' });

export const COMPARISON_SCHEMAS = [
  areaChangeSchema,
  areaSlopeSchema,
  assessmentLinkSchema,
  closureSchema,
  areaRelationSchema,
  relatedAreaSchema,
  resetSchema,
  unconfirmedNecrosisSchema,
  courseSchema,
  reasonSchema,
  seriesPointSchema,
  comparisonSchema,
  flagSchema,
];
