import { z } from 'zod';
import { plainText, uriText } from '../../../platform/http/text.schema.js';

export const reviewerSchema = z
  .strictObject({
    id: plainText(255).describe('Who decided, as your system knows them.'),
    name: plainText(255),
    system: uriText().optional().describe('URI of the numbering that id belongs to.'),
  })
  .meta({ id: 'Reviewer', description: 'The person who took a decision.' });

export const patientSchema = z
  .looseObject({ id: z.string(), system: z.string().nullable().describe('null: your own numbering.') })
  .meta({ id: 'PatientReference', description: 'The patient as you named them.' });
