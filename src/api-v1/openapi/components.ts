import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { jobErrorSchema, jobListSchema, jobViewSchema, usageSchema } from '../analysis/job-view.schema.js';
import {
  calibrationSchema,
  codedConceptSchema,
  jobRequestSchema,
  observationsSchema,
  subjectSchema,
} from '../analysis/job-request.schema.js';
import { RESULT_SCHEMAS } from '../analysis/result.schema.js';
import { calibrationCardsSchema, cardMeasurementSchema } from '../calibration/calibration.schema.js';
import { problemSchema } from '../../platform/http/problem.schema.js';
import { COMPARISON_SCHEMAS } from '../reports/comparison.schema.js';
import { REPORT_SCHEMAS } from '../reports/report.schema.js';
import { TIMELINE_SCHEMAS } from '../wounds/timeline.schema.js';
import { WOUND_SCHEMAS } from '../wounds/wound.schema.js';
import { MODEL_SCHEMAS } from '../models/models.schema.js';
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
  calibrationSchema,
  observationsSchema,
  jobViewSchema,
  jobListSchema,
  jobErrorSchema,
  ...RESULT_SCHEMAS,
  usageSchema,
  ...MODEL_SCHEMAS,
  ...WOUND_SCHEMAS,
  ...TIMELINE_SCHEMAS,
  ...COMPARISON_SCHEMAS,
  ...REPORT_SCHEMAS,
  cardMeasurementSchema,
  calibrationCardsSchema,
  problemSchema,
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

/** A reference to one of them. */
export function schemaReference(schema: z.ZodType): { $ref: string } {
  return { $ref: `#/components/schemas/${nameOf(schema)}` };
}

/** A schema without a name, for parameters. */
export function inlineSchema(schema: z.ZodType): object {
  return without(z.toJSONSchema(schema, { io: 'input', override: asPlainArray }), '$schema');
}

/**
 * A tuple of one kind as an array of that length: it says the same, and generators of clients (openapi-python-client, OpenAPI Generator) read no
 * schema where `items` is false.
 */
function asPlainArray({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { prefixItems, items } = jsonSchema;
  const [first] = prefixItems ?? [];
  if (prefixItems === undefined || first === undefined || items !== false) return;
  if (prefixItems.some((one) => JSON.stringify(one) !== JSON.stringify(first)))
    throw new Error('A tuple of several kinds has no form in the OpenAPI document that generators read.');
  delete jsonSchema.prefixItems;
  Object.assign(jsonSchema, { items: first, minItems: prefixItems.length, maxItems: prefixItems.length });
}

function nameOf(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error('A schema of the document needs an id.');
  return id;
}

function without(json: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}
