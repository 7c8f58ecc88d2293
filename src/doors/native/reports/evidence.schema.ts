import { z } from 'zod';
import { CLINICAL_EVENT_TYPES } from '../../../core/followup/clinical-event.js';
import { REPORT_STATUSES } from '../../../core/report/report-status.js';
import { EVIDENCE_GAPS } from '../../../core/report/wound-evidence.js';
import { statedObservationsSchema } from '../analysis/clinician-observations.schema.js';
import { measuredAreaSchema, tissueSchema } from '../analysis/result.schema.js';
import { asStated } from '../subject/as-stated.schema.js';
import { reviewerSchema } from '../subject/subject.schema.js';
import { areaChangeSchema, courseSchema } from './comparison.schema.js';
import { headingSchema, subjectViewSchema } from './report.schema.js';

const moment = z.iso.datetime();
const { undermining, tunnelling } = statedObservationsSchema.shape;

const evidenceAssessmentSchema = z
  .looseObject({
    reportId: z.string(),
    version: z.int().min(1),
    status: z.enum(REPORT_STATUSES),
    capturedAt: moment,
    capturedAsStated: asStated,
    woundDetected: z.boolean(),
    areaCm2: measuredAreaSchema.shape.cm2,
    noTrendReason: z.string().nullable().describe('Why its area does not stand in the series; null: it does.'),
    attention: z.array(z.string()).describe('Why it waits for a person; empty: it does not.'),
    depthCm: z.number().nullable().describe('As a clinician stated it; null: nobody did.'),
    depthStatedAt: z.string().nullable().describe('Where it was stated on another day than the photo’s.'),
    undermining,
    tunnelling,
    tissue: tissueSchema.nullable(),
    confirmedTissues: z.array(z.string()).describe('Those whose share a clinician stated.'),
    clinicalContext: z.string().nullable(),
    course: courseSchema.nullable(),
    imageId: z.string(),
    photoDeleted: z.boolean(),
    signed: z
      .looseObject({ reviewer: reviewerSchema, at: moment })
      .nullable()
      .describe('Whose decision stands behind the report; null: nobody’s.'),
    links: z.looseObject({ report: z.url(), version: z.url() }),
  })
  .meta({
    id: 'EvidenceAssessment',
    description: 'One photo of the period: what was measured and stated, and who signed.',
  });

const treatmentStepSchema = z
  .looseObject({
    id: z.string(),
    type: z.enum(CLINICAL_EVENT_TYPES),
    occurredAt: moment,
    note: z.string().nullable(),
    by: z.string().nullable(),
  })
  .meta({ id: 'TreatmentStep', description: 'What was done to the wound, as a person recorded it.' });

const evidenceGapSchema = z
  .looseObject({
    code: z.string().describe(`${EVIDENCE_GAPS.join(', ')}; more may come.`),
    from: moment.nullable().describe('Of a time without an assessment.'),
    to: moment.nullable(),
    reportIds: z.array(z.string()).describe('The reports that lack it.'),
  })
  .meta({ id: 'EvidenceGap', description: 'What an auditor looks for and does not find.' });

export const woundEvidenceSchema = z
  .looseObject({
    subject: subjectViewSchema,
    heading: headingSchema.nullable(),
    from: moment,
    to: moment,
    issuedAt: moment,
    change: areaChangeSchema
      .extend({ firstReportId: z.string(), lastReportId: z.string() })
      .nullable()
      .describe('From the first area of the period that stands in the series to the last; null: there are no two.'),
    assessments: z.array(evidenceAssessmentSchema).describe('Oldest photo first; without reports entered in error.'),
    treatment: z
      .array(treatmentStepSchema)
      .describe('Oldest first. Empty: none is recorded here, which does not say that none was done.'),
    missing: z.array(evidenceGapSchema),
    links: z.looseObject({ self: z.url(), wound: z.url(), report: z.url() }),
  })
  .meta({ id: 'WoundEvidence', description: 'What is known of one wound over some weeks, and what is missing.' });

export const EVIDENCE_SCHEMAS = [woundEvidenceSchema, evidenceAssessmentSchema, treatmentStepSchema, evidenceGapSchema];
