import { z } from 'zod';
import { MODEL_TASKS, QUALITY_WARNINGS } from '../../../core/measurement/wound-result.js';
import type { Measure } from '../../../core/measurement/measures.js';
import { perTissue, TISSUE_TABLE } from '../../../core/tissue/tissues.js';

const pixels = z.number().min(0);
const point = z.tuple([z.number(), z.number()]);
const probability = z.number().min(0).max(1);

const NINETY_PERCENT = 'The true value lies between them in nine of ten cases.';
const boundsSchema = z.looseObject({ lower: z.number().min(0), upper: z.number().min(0) });

/** In JSON Schema's terms one thing, whatever its unit. */
export const measuredSchema = z
  .looseObject({ value: z.number().min(0), lower: z.number().min(0), upper: z.number().min(0) })
  .meta({
    id: 'MeasuredValue',
    description: `A value with its bounds. ${NINETY_PERCENT} They hold what the outline and the scale leave open.`,
  });

const measuredCm = measuredSchema.nullable().describe('null where the photo has no scale: nothing is invented.');

export const measuredLengthSchema = z
  .looseObject({
    pixels,
    cm: measuredCm,
    line: z
      .array(point)
      .length(2)
      .optional()
      .describe(
        'The ends of a length or width, in pixels of the oriented photo: what to draw. A perimeter has none, and so have results from before lines were kept.',
      ),
  })
  .meta({ id: 'MeasuredLength', description: 'In the photo, and on the plane of the skin.' });

export const measuredAreaSchema = z
  .looseObject({
    pixels,
    pixelBounds: boundsSchema.describe(`What the outline alone leaves open. ${NINETY_PERCENT}`),
    cm2: measuredCm,
  })
  .meta({ id: 'MeasuredArea', description: 'In the photo, and on the plane of the skin.' });

export const polygonSchema = z.looseObject({ type: z.literal('Polygon'), coordinates: z.array(z.array(point)) }).meta({
  id: 'PixelPolygon',
  description: 'GeoJSON polygon in pixels of the oriented photo: the outer ring first, then holes.',
});

const tissueMethod = z
  .string()
  .describe(
    'model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician (in a review); more may come.',
  );

export const tissueSchema = z
  .looseObject({
    ...perTissue((tissue) =>
      TISSUE_TABLE[tissue].needsClinician
        ? probability.describe('By a colour rule: it feeds no flag and no score until a clinician confirms it.')
        : probability,
    ),
    method: z.looseObject(perTissue(() => tissueMethod)),
  })
  .meta({ id: 'TissueComposition', description: 'Shares of the wound bed; together 1.' });

const MEASURE_SCHEMAS = {
  area: measuredAreaSchema,
  length: measuredLengthSchema.describe('Greatest distance across the outline.'),
  width: measuredLengthSchema.describe('Greatest extent perpendicular to the length.'),
  perimeter: measuredLengthSchema.describe('Length of the outer ring.'),
} satisfies Record<Measure, z.ZodType>;

const woundSchema = z
  .looseObject({
    index: z
      .int()
      .min(0)
      .describe(
        '0 is the largest outline: the wound of the subject, unless `region` says otherwise. Pictures and reports number from 1: index + 1.',
      ),
    confidence: probability.describe('That an expert outlines a wound here (overlap of one half or more).'),
    boundingBox: z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    contour: polygonSchema,
    ...MEASURE_SCHEMAS,
    tissue: tissueSchema.nullable().describe('null where no tissue model is in use.'),
  })
  .meta({
    id: 'WoundMeasurement',
    description: 'One outline and its measures. Centimetres are on the plane of the skin.',
  });

export const qualitySchema = z
  .looseObject({
    acceptable: z.boolean().describe('false where another photo should be taken; this one was analysed all the same.'),
    sharpness: probability.describe(
      'Steepness of the sharpest edges: about 0.45 for a sharp photo, 0.2 for a blurred one.',
    ),
    exposure: z.number().min(0).max(100).describe('Mean lightness L*.'),
    glareShare: probability.describe('Share of the photo in small white reflections.'),
    warnings: z.array(z.string()).describe(`${QUALITY_WARNINGS.join(', ')}; more may come.`),
  })
  .meta({ id: 'PhotoQuality', description: 'How the photo was taken. No figure is changed by it.' });

export const familiaritySchema = z
  .looseObject({
    score: probability.describe(
      'Probability that an expert’s outline overlaps with this one to a Dice of 0.7 or more.',
    ),
    expectedDice: z
      .looseObject({ value: probability, lower: probability, upper: probability })
      .describe(
        'Overlap with an expert’s outline to be expected, and the interval that held nine of ten labelled photos.',
      ),
    outlineReliable: z
      .boolean()
      .describe('false where the outline is more likely wrong than right: look at it before its figures count.'),
  })
  .meta({
    id: 'Familiarity',
    description: 'How far the model can be trusted with this photo; quality speaks of the photo alone.',
  });

const markerSchema = z
  .looseObject({
    status: z.string().describe('used, refused or ignored.'),
    card: z.string().nullable().describe('a4 or credit_card.'),
    markerIds: z.array(z.int()),
    tiltDegrees: z.number().nullable(),
    reason: z
      .string()
      .nullable()
      .describe(
        'cut_off, contradictory, too_small, too_oblique, unknown_marker, client_scale_given, implausible; null where it was used.',
      ),
  })
  .meta({ id: 'MarkerFinding', description: 'What was seen of a printed calibration card.' });

export const scaleSchema = z
  .looseObject({
    source: z
      .string()
      .describe('marker, client or none; in a report also reviewer: a person set it at the review. More may come.'),
    mmPerPixel: z.number().nullable().describe('At the centre of the largest wound, else of the photo.'),
    uncertaintyPct: z.number().nullable().describe('One standard deviation of a length, in %.'),
    pixelToMm: z
      .array(z.number())
      .length(9)
      .nullable()
      .describe(
        '3x3 matrix, row by row, from pixels of the oriented photo to millimetres on the plane of the skin (homogeneous coordinates).',
      ),
    marker: markerSchema.nullable().describe('null where no marker was seen.'),
  })
  .meta({ id: 'ScaleUsed', description: 'What the centimetres are made from.' });

export const pushSchema = z
  .looseObject({
    area: z
      .int()
      .nullable()
      .describe('0 to 10, from the length and width that the clinician gave; never from the photo.'),
    tissue: z.int().nullable().describe('0 to 4, from the worst tissue that a clinician confirmed.'),
    exudate: z.int().nullable().describe('0 to 3, from the clinician.'),
    total: z.int().nullable().describe('0 to 17; only where all three are known.'),
    missing: z.array(z.string()),
  })
  .meta({ id: 'PushScore', description: 'PUSH Tool 3.0, where the operator has turned it on.' });

const artifactSchema = z
  .looseObject({
    url: z.url().describe('Stable; needs the scope analysis:read.'),
    contentType: z.string(),
    width: z.int().min(1),
    height: z.int().min(1),
  })
  .meta({ id: 'ArtifactReference', description: 'A picture made from the analysis.' });

export const modelUsedSchema = z
  .looseObject({
    name: z.string(),
    version: z.string(),
    sha256: z.string(),
    researchOnly: z.boolean(),
    task: z
      .string()
      .optional()
      .describe(`${MODEL_TASKS.join(' or ')}; more may come. Results from before models said it lack it.`),
  })
  .meta({ id: 'ModelUsed', description: 'A model that the figures come from.' });

const followUpSchema = z
  .looseObject({
    asOf: z.iso.datetime(),
    previousJobId: z.string(),
    daysSincePrevious: z.number(),
    areaChangePct: z.number().describe('Below 0: smaller than then.'),
    areaChangeSinceBaselinePct: z.number().nullable(),
    minimalDetectableChangePct: z.number().min(0),
    beyondDetectable: z.boolean(),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'FollowUpSummary', description: 'Against the wound’s photo before.' });

export const resultSchema = z
  .looseObject({
    schemaVersion: z.literal('1.0'),
    woundDetected: z.boolean().describe('false is a finding about this photo, and never that a wound has healed.'),
    confidence: probability.describe('That woundDetected is true of this photo.'),
    quality: qualitySchema,
    familiarity: familiaritySchema
      .nullish()
      .describe(
        'null where nothing is outlined or the model states no calibration. Absent in results of older releases.',
      ),
    scale: scaleSchema,
    wounds: z.array(woundSchema),
    region: z
      .looseObject({ outline: z.int().min(0).nullable().describe('Its index; null: no wound lies there.') })
      .optional()
      .describe('Which outline is the wound of the subject, by subject.region. Absent: none was stated.'),
    totals: z.looseObject({ woundCount: z.int().min(0), areaPixels: pixels, areaCm2: z.number().nullable() }),
    scores: z
      .looseObject({ push: pushSchema })
      .nullable()
      .describe('null where the operator has not turned scores on.'),
    followUp: followUpSchema
      .nullable()
      .describe(
        'As known when the job completed; the wound’s timeline has the present state. null where there is nothing to compare with.',
      ),
    attention: z
      .array(z.string())
      .optional()
      .describe(
        'Why the report waits for a person, as known when the job completed: site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible, before_birth, sandbox; empty: it does not. The report has the present state.',
      ),
    artifacts: z.looseObject({
      mask: artifactSchema,
      overlay: artifactSchema,
      tissue: artifactSchema
        .optional()
        .describe('The tissue of each pixel. Absent where no tissue was told apart, and in earlier results.'),
    }),
    trace: z
      .looseObject({
        pixelSha256: z
          .string()
          .optional()
          .describe(
            'SHA-256 of the pixels as they were decoded: the same for a copy saved anew without loss. Absent in earlier results.',
          ),
        models: z.array(modelUsedSchema),
        executionProvider: z.string(),
        preprocessing: z.looseObject({}),
        thresholds: z.looseObject({}),
        areaRepeatabilityPct: z
          .number()
          .nullable()
          .describe('How much an area varies where the same wound is photographed anew: one standard deviation in %.'),
        timingsMs: z.record(z.string(), z.number()),
      })
      .describe('Which model made this, and how.'),
  })
  .meta({
    id: 'WoundResult',
    description: 'Decision support, not a diagnosis. Fields may be added; ignore those that you do not know.',
  });

/** Those that the document names. */
export const RESULT_SCHEMAS = [
  resultSchema,
  woundSchema,
  measuredSchema,
  tissueSchema,
  qualitySchema,
  familiaritySchema,
  scaleSchema,
  markerSchema,
  pushSchema,
  artifactSchema,
  measuredAreaSchema,
  measuredLengthSchema,
  polygonSchema,
  modelUsedSchema,
  followUpSchema,
];
