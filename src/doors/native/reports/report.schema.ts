import { z } from 'zod';
import { LATERALITIES } from '../../../core/analysis/analysis-job.js';
import { perLength } from '../../../core/measurement/measures.js';
import { REPORT_STATUSES, REVIEW_DECISIONS } from '../../../core/report/report-status.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { perTissue } from '../../../core/tissue/tissues.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { observationsSchema, statedObservationsSchema } from '../analysis/clinician-observations.schema.js';
import { codedConceptSchema, subjectSchema } from '../analysis/job-request.schema.js';
import {
  measuredAreaSchema,
  measuredLengthSchema,
  modelUsedSchema,
  polygonSchema,
  pushSchema,
  familiaritySchema,
  qualitySchema,
  scaleSchema,
  tissueSchema,
} from '../analysis/result.schema.js';
import { patientSchema, reviewerSchema } from '../subject/subject.schema.js';
import { comparisonSchema, flagSchema } from './comparison.schema.js';
import { listFields } from '../paging/page.js';
import { asStated } from '../subject/as-stated.schema.js';

const moment = z.iso.datetime();

const figuresSchema = z.looseObject({ area: measuredAreaSchema, ...perLength(() => measuredLengthSchema) });

const woundInPhotoSchema = z
  .looseObject({
    number: z.int().min(1).describe('1 is the largest; it stands beside the outline in pictures: index + 1.'),
    counted: z.boolean().describe('The figures of the report are of those that count.'),
    figures: figuresSchema,
    confidence: z.number().nullable().describe('null where a person drew the outline.'),
    tissue: tissueSchema.nullable(),
  })
  .meta({ id: 'WoundInPhoto', description: 'One of several outlines of a photo.' });

const findingsSchema = z
  .looseObject({
    photo: z.looseObject({ widthPx: z.int(), heightPx: z.int() }).describe('The oriented photo.'),
    woundDetected: z.boolean(),
    outlines: z.array(polygonSchema).describe('Those that belong to the wound.'),
    outlineSource: z.string().describe('model, reviewer_choice or reviewer_contour.'),
    otherOutlines: z.int().min(0).describe('Found in the photo and not counted.'),
    wounds: z
      .array(woundInPhotoSchema)
      .optional()
      .describe('Every outline of the photo, where there are several. Earlier reports lack it.'),
    ambiguous: z
      .boolean()
      .describe('Several outlines compete and nobody has said which belong: no trend is made from this photo.'),
    figures: figuresSchema
      .nullable()
      .describe(
        'Of several outlines area and perimeter are sums, length and width those of the largest. null without an outline.',
      ),
    tissue: tissueSchema.nullable(),
    confirmedTissues: z.array(z.string()).describe('Those whose share a clinician stated.'),
    push: pushSchema.nullable(),
    confidence: z.number().nullable().describe('null where a person drew the outline.'),
    quality: qualitySchema,
    familiarity: familiaritySchema
      .nullish()
      .describe('Of the model’s outline, whoever drew the present one. Absent in reports of older releases.'),
    scale: scaleSchema,
    areaRepeatabilityPct: z
      .number()
      .describe('How much an area varies where nothing but the photo changes: one standard deviation, in %.'),
    model: z.string(),
  })
  .meta({ id: 'AssessmentFindings', description: 'What the photo says of the wound, after what people corrected.' });

export const subjectViewSchema = z
  .looseObject({
    patient: patientSchema.nullable(),
    woundRef: z.string().describe('This service’s id of the wound.'),
    woundId: z.string().nullable().describe('Your own id; null: unlinked.'),
    woundIdSystem: z.string().nullable(),
    bodySite: codedConceptSchema.nullable(),
    laterality: z.enum(LATERALITIES).nullable(),
    woundType: codedConceptSchema.nullable(),
  })
  .meta({ id: 'ReportSubject', description: 'Whose wound, with the ids as you gave them.' });

const reviewStampSchema = z
  .looseObject({
    decision: z.enum(REVIEW_DECISIONS),
    reviewer: reviewerSchema,
    note: z.string().nullable(),
    reviewedAt: moment,
    enteredBy: z.string().optional().describe('The person behind the request, of X-Sutura-User; absent: not named.'),
  })
  .meta({ id: 'ReviewStamp', description: 'The decision that last shaped the report.' });

export const headingSchema = z
  .looseObject({
    patientName: z.string().nullable(),
    birthDate: z.string().nullable().describe('ISO 8601; a month or a year where no more is known.'),
    patientNumber: z.string().nullable().describe('With its authority or type, where they are known.'),
    facility: z.string().nullable().describe('The organization, and where in it the patient lies.'),
    orderer: z.string().nullable(),
    timeZone: z.string().describe('IANA zone in which documents print moments; JSON has UTC.'),
  })
  .meta({
    id: 'ReportHeading',
    description: 'Who and where the report is about, as the records say now; null: not known.',
  });

export const reportSchema = z
  .looseObject({
    id: z.string(),
    version: z.int().min(1),
    status: z
      .enum(REPORT_STATUSES)
      .describe('preliminary until a person accepts or corrects it; a job’s "completed" is not "final".'),
    reason: z
      .string()
      .describe(
        'created, reviewed, recomputed, moved: the patient’s record was joined into another, or photo_erased: a photo that it showed was deleted.',
      ),
    environment: z.enum(ENVIRONMENTS),
    jobId: z.string(),
    imageId: z.string(),
    sequence: z
      .int()
      .min(1)
      .nullable()
      .describe('Of this photo in the wound’s series; null for a report entered in error, and for earlier versions.'),
    replaces: z.string().nullable().describe('The report whose place this one took, by a reassignment.'),
    replacedBy: z.string().nullable(),
    issuedAt: moment.describe('When this version was made.'),
    subject: subjectViewSchema,
    capturedAt: moment,
    capturedAsStated: asStated,
    clinicalContext: z.string().nullable(),
    clinicianObservations: statedObservationsSchema.nullable(),
    findings: findingsSchema,
    comparison: comparisonSchema,
    flags: z.array(flagSchema),
    review: reviewStampSchema.nullable().describe('null: no person has looked at it.'),
    models: z.array(modelUsedSchema),
    sandbox: z
      .string()
      .optional()
      .describe('The outcome that metadata.sandbox of its job asked for; absent: none, and in live always.'),
    erasedPhotos: z
      .array(z.looseObject({ imageId: z.string(), erasedAt: moment }))
      .optional()
      .describe('Photos that documents of this report showed and that were deleted. Absent: none.'),
    heading: headingSchema.optional().describe('Where one report is read; absent in lists and in answers to reviews.'),
    links: z.looseObject({ self: z.url(), versions: z.url(), job: z.url(), wound: z.url(), timeline: z.url() }),
  })
  .meta({
    id: 'ClinicalReport',
    description: 'The report of one photo, in one version. Decision support, not a diagnosis.',
  });

export const reportVersionsSchema = z
  .looseObject(listFields(reportSchema, 'Oldest version first; all of them.'))
  .meta({ id: 'ClinicalReportVersions', description: 'Every version, kept for ever.' });

export const courseReportSchema = z
  .looseObject({
    subject: subjectViewSchema,
    from: moment.nullable(),
    to: moment.nullable(),
    issuedAt: moment,
    reports: z.array(reportSchema).describe('Present versions, oldest photo first; without those entered in error.'),
  })
  .meta({ id: 'CourseReport', description: 'All assessments of one wound between two moments.' });

const ring = z.array(z.tuple([z.number(), z.number()])).min(4);
const contourSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
    z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) }),
  ])
  .meta({
    id: 'ReviewerContour',
    description: 'GeoJSON (RFC 7946) in pixels of the oriented photo; at most 4,000 points.',
  });

const share = z.number().min(0).max(1);
const sharesSchema = z.strictObject(perTissue(() => share)).meta({
  id: 'TissueShares',
  description: 'Shares of the wound bed; together 1. They count as confirmed by a clinician.',
});

export const reviewRequestSchema = z
  .strictObject({
    decision: z
      .enum(REVIEW_DECISIONS)
      .describe('accept; reject (entered in error); correct; reassign (the photo is of another patient or wound).'),
    contour: contourSchema.optional().describe('With correct: the wound’s outline.'),
    outlines: z
      .array(z.int().min(0))
      .min(1)
      .max(100)
      .optional()
      .describe('With correct: which of the result’s wounds belong, by index.'),
    tissue: sharesSchema.optional().describe('With correct: what the wound bed consists of.'),
    calibration: z
      .strictObject({ mmPerPixel: z.number().positive() })
      .optional()
      .describe(
        'With correct: the scale of the oriented photo, as a person found it by something of known length in it; 0.005 to 5. Every figure is measured anew by it, and it stays for later corrections.',
      ),
    observations: observationsSchema
      .optional()
      .describe(
        'With correct: all that a clinician states of the wound that day, in place of what had been stated; what it leaves out is no longer stated. The former ones stay in the version before.',
      ),
    confirmOutline: z
      .boolean()
      .optional()
      .describe(
        'With a contour: true where it is meant although it takes in nearly the whole photo, or many times what was outlined; else the answer and the report warn `outline_unlikely`.',
      ),
    subject: subjectSchema.optional().describe('With reassign: whose wound it is.'),
    note: plainText(2000, 0).optional(),
    reviewer: reviewerSchema,
  })
  .refine(
    ({ decision, contour, outlines, tissue, calibration, observations }) =>
      decision === 'correct' ||
      [contour, outlines, tissue, calibration, observations].every((part) => part === undefined),
    {
      path: ['decision'],
      error: 'must be correct where a contour, outlines, tissue, a calibration or observations are given',
    },
  )
  .refine(({ decision, subject }) => (decision === 'reassign') === (subject !== undefined), {
    path: ['subject'],
    error: 'goes with the decision reassign, and only with it',
  })
  .meta({
    id: 'ReviewRequest',
    description: 'A person’s decision about a report. The job’s own result stays what the model said.',
  });

export type ReviewRequestBody = z.output<typeof reviewRequestSchema>;

export const REPORT_SCHEMAS = [
  reportSchema,
  reportVersionsSchema,
  courseReportSchema,
  headingSchema,
  woundInPhotoSchema,
  findingsSchema,
  subjectViewSchema,
  reviewStampSchema,
  contourSchema,
  sharesSchema,
  reviewRequestSchema,
];
