import { z } from 'zod';
import { JOB_PRIORITIES, LATERALITIES } from '../../../core/analysis/analysis-job.js';
import { LONGEST_SLOW_S, SANDBOX_KEY, SANDBOX_WORDS } from '../../../core/analysis/sandbox-outcome.js';
import { plainText, uriText } from '../../../platform/http/text.schema.js';
import { identifierText } from '../subject/identifier.schema.js';
import { observationsSchema } from './clinician-observations.schema.js';

const METADATA_PAIRS = 16;
const EARLIEST_CAPTURE = Date.UTC(1900, 0, 1);

/** RFC 3339 5.6 with upper-case separators; the day has to exist. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** What is wrong with it, and what it has to be; null: nothing. */
function momentFault(text: string): string | null {
  if (!RFC_3339.test(text)) return 'must be an RFC 3339 timestamp with an offset, such as 2025-11-20T08:30:00Z';
  if (!z.iso.datetime({ offset: true }).safeParse(text).success || Number.isNaN(Date.parse(text)))
    return 'is a day or a time that does not exist: correct it';
  return Date.parse(text) >= EARLIEST_CAPTURE ? null : 'is before 1900: correct the year';
}

/** A moment with its offset, from 1900 on. */
export const timestampText = z
  .string()
  .refine((text) => momentFault(text) === null, { error: ({ input }) => momentFault(String(input)) ?? undefined })
  .describe('RFC 3339 with an offset, from 1900 on.')
  .meta({ format: 'date-time' });

export const codedConceptSchema = z
  .strictObject({
    system: uriText().optional().describe('URI of the code system, for example http://snomed.info/sct.'),
    code: plainText(255).optional(),
    display: plainText(255).optional(),
  })
  .meta({ id: 'CodedConcept', description: 'A code from a terminology.' });

export const regionSchema = z
  .strictObject({
    x: z.number().min(0),
    y: z.number().min(0),
    width: z
      .number()
      .gt(0)
      .optional()
      .describe('With height: a box with x, y at its upper left; without both: a point.'),
    height: z.number().gt(0).optional(),
  })
  .refine(({ width, height }) => (width === undefined) === (height === undefined), {
    error: 'a box has a width and a height; a point has neither',
  })
  .meta({
    id: 'PhotoRegion',
    description:
      'Where in the photo the wound lies, in pixels of the photo upright (after its EXIF orientation). Of a photo that shows several wounds.',
  });

export const subjectSchema = z
  .strictObject({
    patientId: identifierText(255).optional().describe('Your identifier of the patient.'),
    patientSystem: uriText().optional().describe('URI of the numbering that patientId belongs to; absent: your own.'),
    woundId: identifierText(255).optional().describe('Your stable identifier of the wound.'),
    woundIdSystem: uriText().optional().describe('URI of the numbering that woundId belongs to; absent: your own.'),
    bodySite: codedConceptSchema.optional(),
    laterality: z.enum(LATERALITIES).optional(),
    woundType: codedConceptSchema.optional(),
    region: regionSchema.optional(),
  })
  .meta({ id: 'JobSubject', description: 'Which wound of whom, in your own terms.' });

export const calibrationSchema = z
  .strictObject({
    mmPerPixel: z
      .number()
      .gt(0)
      .describe(
        'Of the photo as uploaded, after its EXIF orientation: 0.005 to 5, with which it shows 5 mm to 3 m; else 422.',
      ),
  })
  .meta({ id: 'Calibration', description: 'The scale of the photo. Without it there are no centimetres.' });

export const metadataSchema = z
  .record(plainText(64), plainText(255, 0))
  .refine((pairs) => Object.keys(pairs).length <= METADATA_PAIRS, {
    error: `must have at most ${METADATA_PAIRS} pairs`,
  })
  .meta({ maxProperties: METADATA_PAIRS });

export const jobRequestSchema = z
  .strictObject({
    // Any text: an id that is none is answered like an unknown one (contract, Ids).
    imageId: z.string().describe('From the answer to the upload-url request.'),
    clinicalContext: plainText(4000, 0).optional().describe('Free clinical text; kept with the job, never logged.'),
    subject: subjectSchema.optional(),
    capturedAt: timestampText
      .optional()
      .describe(
        'When the photo was taken; default: as an earlier analysis of this photo has it, else as its camera says (then the result warns `captured_at_from_photo`), else now. More than 5 minutes ahead: 422.',
      ),
    calibration: calibrationSchema.optional(),
    clinicianObservations: observationsSchema.optional(),
    priority: z.enum(JOB_PRIORITIES).optional().describe('stat goes before routine; default: routine.'),
    metadata: metadataSchema
      .optional()
      .describe(
        `Up to 16 pairs of your own, given back with the job. In the test environment ${SANDBOX_KEY} asks for an outcome: ${SANDBOX_WORDS.join(', ')}, or slow:1s to slow:${LONGEST_SLOW_S}s; in live any is refused, 422.`,
      ),
  })
  .meta({
    id: 'AnalysisJobRequest',
    description: 'Unknown fields are refused, so that a misspelt one is not silently lost.',
  });

export type JobRequestBody = z.output<typeof jobRequestSchema>;
