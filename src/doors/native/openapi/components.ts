import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { OBSERVATION_SCHEMAS } from '../analysis/clinician-observations.schema.js';
import { jobErrorSchema, jobListSchema, jobViewSchema, usageSchema } from '../analysis/job-view.schema.js';
import {
  calibrationSchema,
  regionSchema,
  codedConceptSchema,
  jobRequestSchema,
  subjectSchema,
} from '../analysis/job-request.schema.js';
import { RESULT_SCHEMAS } from '../analysis/result.schema.js';
import {
  calibrationCardSchema,
  calibrationCardsSchema,
  cardMeasurementSchema,
} from '../calibration/calibration.schema.js';
import { errorCodeSchema, problemSchema } from '../../../platform/http/problem.schema.js';
import { COMPARISON_SCHEMAS } from '../reports/comparison.schema.js';
import { REVIEW_LINK_SCHEMAS } from '../review-desk/review-link.schema.js';
import { EVIDENCE_SCHEMAS } from '../reports/evidence.schema.js';
import { REPORT_LIST_SCHEMAS } from '../reports/report-list.schema.js';
import { REPORT_SCHEMAS } from '../reports/report.schema.js';
import { TIMELINE_SCHEMAS } from '../wounds/timeline.schema.js';
import { HELD_SCHEMAS } from '../held/held.schema.js';
import { EVENT_LOG_SCHEMAS } from '../events/events.schema.js';
import { WEBHOOK_SCHEMAS } from '../webhooks/webhooks.schema.js';
import { EVENT_SCHEMAS } from './event.schemas.js';
import { WOUND_SCHEMAS } from '../wounds/wound.schema.js';
import { MODEL_SCHEMAS } from '../models/models.schema.js';
import { SANDBOX_SCHEMAS } from '../sandbox/sandbox-clock.schema.js';
import { SAMPLE_SCHEMAS } from '../samples/samples.schema.js';
import { asPlainArray, nameOf, without } from '../route/json-schema.js';
import { imageMetadataSchema, uploadRequestSchema, uploadTicketSchema } from '../images/images.schema.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Every schema that the document names; each carries its name as `id`. */
const NAMED_SCHEMAS: readonly z.ZodType[] = [
  uploadRequestSchema,
  uploadTicketSchema,
  imageMetadataSchema,
  jobRequestSchema,
  codedConceptSchema,
  subjectSchema,
  regionSchema,
  calibrationSchema,
  ...OBSERVATION_SCHEMAS,
  jobViewSchema,
  jobListSchema,
  jobErrorSchema,
  ...RESULT_SCHEMAS,
  usageSchema,
  ...MODEL_SCHEMAS,
  ...SAMPLE_SCHEMAS,
  ...SANDBOX_SCHEMAS,
  ...WOUND_SCHEMAS,
  ...TIMELINE_SCHEMAS,
  ...COMPARISON_SCHEMAS,
  ...REPORT_SCHEMAS,
  ...REPORT_LIST_SCHEMAS,
  ...EVIDENCE_SCHEMAS,
  ...REVIEW_LINK_SCHEMAS,
  cardMeasurementSchema,
  calibrationCardSchema,
  calibrationCardsSchema,
  ...WEBHOOK_SCHEMAS,
  ...EVENT_LOG_SCHEMAS,
  ...HELD_SCHEMAS,
  ...EVENT_SCHEMAS,
  problemSchema,
  errorCodeSchema,
];

/** The schemas that requests are checked with, as JSON Schema 2020-12 under `components.schemas`. */
export function componentSchemas(): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const schema of NAMED_SCHEMAS) registry.add(schema, { id: nameOf(schema) });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    override: asPlainArray,
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, without(schema, '$schema', '$id', 'id')]),
  ) as Schemas;
}
