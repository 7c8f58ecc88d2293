import { z } from 'zod';
import type { ModelTask, ModelUsed } from '../../core/measurement/wound-result.js';
import { MODEL_VARIANTS } from '../../core/analysis/model-catalogue.js';
import type { BedTissue } from '../../core/tissue/tissues.js';

const side = z.number().int().min(32).max(4096);
const perChannel = z.tuple([z.number(), z.number(), z.number()]);
const share = z.number().min(0).max(1);
const probability = z.number().gt(0).lt(1);

const inputSchema = z.object({
  name: z.string().min(1),
  width: side,
  height: side,
  /** Of RGB values 0..1. */
  mean: perChannel,
  std: perChannel.refine((std) => std.every((value) => value > 0), 'must be positive'),
  resize: z.literal('letterbox'),
});

/** The fields of every model's manifest. */
const common = {
  name: z.string().min(1),
  version: z.string().min(1),
  /** In the manifest's own folder. */
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  input: inputSchema,
  /** The licence forbids the use on patients. */
  researchOnly: z.boolean(),
  licence: z.string().min(1),
  /** Figures of the card, as the maker states them; shown, not used. */
  metrics: z.record(z.string(), z.json()).optional(),
};

/** A second look at a small wound: a crop around the outlines, run again in the whole frame. */
const refinementSchema = z.strictObject({
  /** Only where the outlines cover less than this share of the content. */
  belowAreaShare: share,
  /** Added on each side of the outlines, as a share of the longer side of the box around them. */
  contextShare: z.number().min(0).max(10),
  /** Probability from which a spot is worth the second look where nothing is outlined. Absent: only outlines are looked at again. */
  proposalThreshold: probability.optional(),
});

/** Turns the range of the border and the outline's size into the interval of an area. */
const conformalSchema = z
  .strictObject({
    /** Of the expected size of ln(labelled area ÷ outlined area), on the logarithms of the outline's area and of the range. */
    intercept: z.number(),
    logArea: z.number(),
    logBand: z.number(),
    leastScale: z.number().positive(),
    mostScale: z.number().positive().max(2),
    /** So many expected sizes the interval reaches down and up. */
    below: z.number().min(0).max(10),
    above: z.number().min(0).max(10),
  })
  .refine(({ leastScale, mostScale }) => leastScale <= mostScale, 'leastScale must not exceed mostScale');

/** The range in which the border of a wound may lie, between the regions above two thresholds, and the interval that is made of it. */
const boundsSchema = z
  .strictObject({
    /** The region above it is the largest that the wound may be. */
    lowerThreshold: probability,
    /** The region above it is the least that the wound is. */
    upperThreshold: probability,
    /** The range is the interval; this is its least half-width, in per cent of the area. */
    floorPct: z.number().min(0).max(100).optional(),
    conformal: conformalSchema.optional(),
    /** Share of held-out wounds whose labelled area lay within the bounds. */
    coverage: share.optional(),
  })
  .refine(
    ({ lowerThreshold, upperThreshold }) => lowerThreshold < upperThreshold,
    'lowerThreshold must be below upperThreshold',
  )
  .refine(({ floorPct, conformal }) => (floorPct === undefined) !== (conformal === undefined), {
    path: ['floorPct'],
    message: 'either floorPct or conformal, and not both',
  });

const confidenceSchema = z.strictObject({
  wound: z.strictObject({ intercept: z.number(), meanLogit: z.number(), logAreaShare: z.number() }),
  photo: z.strictObject({ intercept: z.number(), peakLogit: z.number() }),
  /** Outlines of which less is expected are left out. */
  reportFrom: share.optional(),
  expectedCalibrationError: share.optional(),
});

/** What labelled photos had whose map agreed with its outline to this degree. */
const familiarityStepSchema = z
  .strictObject({
    agreement: share,
    dice: share,
    lower: share,
    upper: share,
    /** Error of the area that nine of ten stayed below, in %. */
    areaPct: z.number().min(0).max(1000),
  })
  .refine(({ lower, dice, upper }) => lower <= dice && dice <= upper, 'dice must lie between lower and upper');

type FamiliarityStep = z.infer<typeof familiarityStepSchema>;

/** The surer the outline, the better it is expected to be. */
function isBetter(step: FamiliarityStep, before: FamiliarityStep): boolean {
  return (
    step.agreement > before.agreement &&
    step.dice >= before.dice &&
    step.lower >= before.lower &&
    step.upper >= before.upper &&
    step.areaPct <= before.areaPct
  );
}

const familiaritySchema = z.strictObject({
  intercept: z.number(),
  agreementLogit: z.number().positive(),
  /** Least score at which an outline counts as reliable. */
  reliableFrom: share,
  calibration: z
    .array(familiarityStepSchema)
    .min(2)
    .refine(
      (steps) => steps.slice(1).every((step, index) => isBetter(step, steps[index]!)),
      'agreement must rise from step to step, dice, lower and upper must not fall, areaPct must not rise',
    ),
});

/** Whether a photo shows an open wound at all, whatever the map outlines. */
const presenceSchema = z.strictObject({
  /** Of `output.presence`: below it no wound is reported. */
  threshold: probability,
  expectedCalibrationError: share.optional(),
});

const segmentationSchema = z
  .object({
    ...common,
    task: z.literal('wound-segmentation'),
    variant: z.enum(MODEL_VARIANTS).optional(),
    output: z.object({
      name: z.string().min(1),
      /** A second output [N, 1]: the distance of the picture from those in training. */
      novelty: z.string().min(1).optional(),
      /** A further output [N, 1]: the probability that the picture shows an open wound. */
      presence: z.string().min(1).optional(),
    }),
    /** Probability from which a pixel belongs to a wound. */
    threshold: probability,
    /** Outlines smaller than this share of the photo are left out. */
    minAreaShare: z.number().min(0).lt(1),
    /** Novelty above which the photo is called unfamiliar. */
    noveltyThreshold: z.number().optional(),
    refinement: refinementSchema.optional(),
    bounds: boundsSchema.optional(),
    /** One standard deviation of an area in %, where nothing but the photo of the same wound changes. */
    areaRepeatabilityPct: z.number().positive().max(100).optional(),
    confidence: confidenceSchema.optional(),
    presence: presenceSchema.optional(),
    /** How far an outline can be trusted, by the map's agreement with it. */
    familiarity: familiaritySchema.optional(),
  })
  .refine(({ output, noveltyThreshold }) => output.novelty !== undefined || noveltyThreshold === undefined, {
    path: ['noveltyThreshold'],
    message: 'needs output.novelty',
  })
  .refine(({ output, presence }) => (output.presence === undefined) === (presence === undefined), {
    path: ['presence'],
    message: 'goes with output.presence, and output.presence with it',
  });

/** Classes outside the wound bed. */
const OUTSIDE_BED = ['background', 'callus'] as const;
/** Classes that a tissue model may have, each once, in the order of its output; true: every model has it. */
const TISSUE_CLASSES: Readonly<Record<BedTissue | (typeof OUTSIDE_BED)[number], boolean>> = {
  background: true,
  slough: true,
  granulation: true,
  necrosis: false,
  callus: false,
};
const CLASS_NAMES = Object.keys(TISSUE_CLASSES) as (keyof typeof TISSUE_CLASSES)[];
const NEEDED_CLASSES = CLASS_NAMES.filter((name) => TISSUE_CLASSES[name]);

const tissueClasses = z
  .array(z.enum(CLASS_NAMES))
  .refine((classes) => new Set(classes).size === classes.length, 'each class once')
  .refine(
    (classes) => NEEDED_CLASSES.every((name) => classes.includes(name)),
    `${NEEDED_CLASSES.slice(0, -1).join(', ')} and ${NEEDED_CLASSES[NEEDED_CLASSES.length - 1]!} are needed`,
  );

const tissueSchema = z
  .object({
    ...common,
    task: z.literal('tissue-segmentation'),
    output: z.object({ name: z.string().min(1) }),
    /** One plane each in the output, in this order. */
    classes: tissueClasses,
    /** The classes that are the bed of a wound; the others count as "other" inside an outline. */
    woundBed: tissueClasses.element.array().min(1),
    /** Around the wound on each side, as a share of the longer side of its box, before it is fitted into the frame. */
    contextShare: z.number().min(0).max(10).default(0.3),
  })
  .refine(
    ({ classes, woundBed }) =>
      woundBed.every((name) => !OUTSIDE_BED.some((outside) => outside === name) && classes.includes(name)),
    {
      path: ['woundBed'],
      message: `only classes of this model, and neither ${OUTSIDE_BED.join(' nor ')}`,
    },
  );

const MANIFEST_SCHEMAS = {
  'wound-segmentation': segmentationSchema,
  'tissue-segmentation': tissueSchema,
} as const satisfies { readonly [Task in ModelTask]: z.ZodType<{ readonly task: Task }> };

/** The manifest beside a model's weights: its input, and how its output is read. `docs/models.md` describes every field. */
export const MODEL_MANIFEST_SCHEMA = z.discriminatedUnion('task', [
  MANIFEST_SCHEMAS['wound-segmentation'],
  MANIFEST_SCHEMAS['tissue-segmentation'],
]);

/** The manifest of a model with this task. */
export type ManifestOf<Task extends ModelTask> = z.infer<(typeof MANIFEST_SCHEMAS)[Task]>;
export type SegmentationManifest = ManifestOf<'wound-segmentation'>;
export type TissueManifest = ManifestOf<'tissue-segmentation'>;
export type ModelManifest = z.infer<typeof MODEL_MANIFEST_SCHEMA>;

/** A model as a result's trace names it. */
export function toModelUsed({ name, version, sha256, researchOnly, task }: ModelManifest): ModelUsed {
  return { name, version, sha256, researchOnly, task };
}
