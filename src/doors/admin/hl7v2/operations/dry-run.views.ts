import type { Bundle } from '@medplum/fhirtypes';
import { z } from 'zod';
import { APPLICATION_CODES } from '../../../hl7v2/ack/acknowledgment-code.js';
import { list } from '../../action/answer-fields.js';
import { PROBLEM_VIEW } from './hl7.views.js';

/** The effects that a message would have. Nothing is stored, no photo is checked, nothing is charged. */
export const DRY_RUN_VIEW = z.object({
  messageType: z.string(),
  controlId: z.string(),
  kind: z.string(),
  mode: z.enum(['original', 'enhanced']),
  acknowledgment: z
    .enum(APPLICATION_CODES)
    .nullable()
    .describe('MSA-1 of the application acknowledgment, as far as the message alone decides it; null: none.'),
  problems: list(PROBLEM_VIEW),
  effects: list(z.string()).describe('A line each.'),
  bundle: z.custom<Bundle>().nullable().describe('The message as FHIR; null: it changes nothing.'),
});
export type DryRunView = z.output<typeof DRY_RUN_VIEW>;
