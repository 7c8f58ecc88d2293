import { z } from 'zod';
import { MODEL_TASKS } from '../../../core/measurement/wound-result.js';
import { listFields } from '../paging/page.js';

const modelSchema = z
  .looseObject({
    name: z.string(),
    version: z.string(),
    task: z.string().describe(`${MODEL_TASKS.join(' or ')}; more may come.`),
    variant: z.string().nullable().describe('fast, accurate (of an operator’s own models) or null.'),
    sha256: z.string().describe('Of the weights, as in the trace of every result made with them.'),
    active: z.boolean().describe('Whether jobs are analysed with it.'),
    researchOnly: z.boolean().describe('Its licence forbids the use on patients.'),
    licence: z.string(),
    metrics: z.looseObject({}).nullable().describe('Figures as its maker states them; null where there are none.'),
    card: z.string().nullable().describe('The model card, Markdown; null where there is none.'),
    links: z.looseObject({ fhirModelCard: z.url().describe('The card as a FHIR DocumentReference.') }),
  })
  .meta({ id: 'Model', description: 'A model of this installation.' });

export const modelListSchema = z
  .looseObject(listFields(modelSchema, 'The active models first; all of them.')).meta({ id: 'ModelList', description: 'The active models first.' });

export const MODEL_SCHEMAS: readonly z.ZodType[] = [modelSchema, modelListSchema];

export type ModelListView = z.infer<typeof modelListSchema>;
