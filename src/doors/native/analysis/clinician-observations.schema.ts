import { z } from 'zod';
import {
  EXUDATE_AMOUNTS,
  EXUDATE_TYPES,
  HOURS,
  isInfectionSign,
  LONGEST_INFECTION_SIGN,
  MOST_LISTED,
  MOST_UNDERMINING_CM,
  ODOURS,
  PERIWOUND_FINDINGS,
  WOUND_EDGES,
} from '../../../core/analysis/clinician-observations.js';
import { INFECTION_SIGNS, SIGN_STATUSES, type StatedSign } from '../../../core/analysis/infection-sign-codes.js';
import { isStageOf, LONGEST_STATED_BY, STAGE_SYSTEMS, STAGE_VALUES } from '../../../core/analysis/wound-stage.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { plainText } from '../../../platform/http/text.schema.js';

const STAGES = [...new Set(Object.values(STAGE_VALUES).flat())];
const centimetres = z.number().min(0).max(200);
const underminingCm = z.number().gt(0).max(MOST_UNDERMINING_CM);
const clock = z.int().min(1).max(HOURS);

/** A list in which nothing is said twice. An empty one states nothing. */
function listOf<Item extends z.ZodType>(item: Item, most: number): z.ZodType<readonly z.output<Item>[]> {
  return z
    .array(item)
    .max(most)
    .refine((items) => new Set(items.map((each) => JSON.stringify(each))).size === items.length, {
      error: 'must not say the same twice',
    })
    .meta({ uniqueItems: true });
}

const underminingSchema = z.strictObject({ fromClock: clock, toClock: clock.optional(), depthCm: underminingCm }).meta({
  id: 'Undermining',
  description:
    'An undermined stretch of the edge, clockwise from one hour to the other: 11 to 2 runs over 12. Without toClock it is at one hour.',
});

const tunnelSchema = z
  .strictObject({ clock, depthCm: underminingCm })
  .meta({ id: 'Tunnel', description: 'A tunnel that leads from the wound in one direction.' });

const infectionSign = plainText(LONGEST_INFECTION_SIGN).refine(isInfectionSign, {
  error: 'must be words on one line, without control characters',
});

const infectionSignSchema = z.enum(INFECTION_SIGNS).meta({
  id: 'InfectionSign',
  description: 'A sign of infection that a clinician looks for.',
  'x-enum-varnames': INFECTION_SIGNS.map((sign) => `SIGN_${sign.toUpperCase()}`),
});
const statedSignSchema = z.strictObject({ sign: infectionSignSchema, status: z.enum(SIGN_STATUSES) }).meta({
  id: 'StatedSign',
  description: 'A sign that was looked for, and whether it was there. What nobody looked for is left out.',
});

const statedSignsSchema: z.ZodType<readonly StatedSign[]> = z
  .array(statedSignSchema)
  .max(INFECTION_SIGNS.length)
  .refine((stated) => new Set(stated.map(({ sign }) => sign)).size === stated.length, {
    error: 'must not state a sign twice',
  });

const stageValueSchema = z.enum(STAGES).meta({
  id: 'WoundStageValue',
  description: 'Of pressure injuries 1 to 4 or a word, of Wagner 0 to 5, of the University of Texas 0A to 3D.',
  'x-enum-varnames': STAGES.map((value) => `STAGE_${value.toUpperCase()}`),
});
const stageSchema = z
  .strictObject({
    system: z.enum(STAGE_SYSTEMS),
    value: stageValueSchema,
    statedBy: plainText(LONGEST_STATED_BY)
      .refine(isInfectionSign, { error: 'must be words on one line, without control characters' })
      .optional()
      .describe('The name of whoever stated it.'),
    statedAt: z
      .string()
      .max(40)
      .refine((text) => ClinicalTime.read(text) !== null, { error: 'must be a day, or a moment with its offset' })
      .optional()
      .describe('Where that is not the time of the photo: a moment with its offset, or a day.'),
  })
  .refine(({ system, value }) => isStageOf(system, value), { path: ['value'], error: 'must be a value of its system' })
  .meta({ id: 'WoundStage', description: 'A stage or grade as a person stated it; never told from a photo.' });

/**
 * By name, since generators of Java write a set of an unnamed enum that does not compile; with the names of its constants, since those of Go
 * give all enums one namespace, and both of these have `macerated`.
 */
function findingsOf<const Word extends string>(
  words: readonly Word[],
  id: string,
  prefix: string,
  description: string,
) {
  const constants = words.map((word) => `${prefix}_${word.toUpperCase()}`);
  return z.enum(words).meta({ id, description, 'x-enum-varnames': constants });
}

const woundEdgeSchema = findingsOf(WOUND_EDGES, 'WoundEdge', 'EDGE', 'How an edge of the wound looks.');
const periwoundSchema = findingsOf(
  PERIWOUND_FINDINGS,
  'PeriwoundFinding',
  'PERIWOUND',
  'How the skin around the wound looks.',
);

export const observationsSchema = z
  .strictObject({
    depthCm: centimetres.optional(),
    lengthCm: centimetres.optional().describe('Head to toe, as measured at the bedside.'),
    widthCm: centimetres.optional().describe('Side to side, as measured at the bedside.'),
    exudate: z.enum(EXUDATE_AMOUNTS).optional(),
    exudateType: z.enum(EXUDATE_TYPES).optional(),
    odour: z.enum(ODOURS).optional(),
    painNrs: z.int().min(0).max(10).optional().describe('Numeric rating scale.'),
    undermining: listOf(underminingSchema, MOST_LISTED)
      .optional()
      .describe('Clock positions as seen by whoever faces the wound; 12 is as a rule towards the head.'),
    tunnelling: listOf(tunnelSchema, MOST_LISTED).optional().describe('Clock positions as for undermining.'),
    edges: listOf(woundEdgeSchema, WOUND_EDGES.length).optional(),
    periwound: listOf(periwoundSchema, PERIWOUND_FINDINGS.length).optional().describe('The skin around the wound.'),
    infectionSigns: listOf(infectionSign, MOST_LISTED)
      .optional()
      .describe('Signs of infection in the clinician’s own words; no diagnosis is made of them.'),
    infectionSignCodes: statedSignsSchema.optional().describe('Signs of infection, each once.'),
    stage: stageSchema.optional(),
  })
  .meta({ id: 'ClinicianObservations', description: 'Copied to the report, never guessed.' });

/** What is told of them; over FHIR and HL7 v2 each may have come at another time than the photo. */
export const statedObservationsSchema = observationsSchema
  .extend({
    statedAt: z
      .partialRecord(
        z.enum(Object.keys(observationsSchema.shape) as (keyof typeof observationsSchema.shape)[]),
        z.string(),
      )
      .optional()
      .describe('When each was stated, of those of another day than the photo’s: a moment with its offset, or a day.'),
  })
  .meta({ id: 'StatedObservations', description: 'What clinicians stated, as the report copies it.' });

export const OBSERVATION_SCHEMAS: readonly z.ZodType[] = [
  observationsSchema,
  statedObservationsSchema,
  underminingSchema,
  tunnelSchema,
  woundEdgeSchema,
  periwoundSchema,
  infectionSignSchema,
  statedSignSchema,
  stageValueSchema,
  stageSchema,
];
