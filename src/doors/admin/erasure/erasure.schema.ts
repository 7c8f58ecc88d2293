import { z } from 'zod';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { plainText } from '../../../platform/http/text.schema.js';

/** A patient as an operator names them: never in an address, which logs keep. */
const PATIENT = {
  environment: z.enum(ENVIRONMENTS),
  patient: plainText(255),
  system: plainText(255, 0).optional(),
};

export const NAMED_PATIENT = z.strictObject(PATIENT);
export const ERASURE = z.strictObject({ ...PATIENT, dryRun: z.boolean().optional() });
export const HOLD = z.strictObject({ ...PATIENT, reason: plainText(200) });

export type NamedPatient = z.output<typeof NAMED_PATIENT>;
export type ErasureInput = z.output<typeof ERASURE>;
export type HoldInput = z.output<typeof HOLD>;
