import type { z } from 'zod';
import { identifierFault } from '../../../core/patients/identifier-text.js';
import { plainText } from '../../../platform/http/text.schema.js';

/** The number of a patient or a wound: text as above that a person can tell from every other (core/patients/identifier-text). */
export function identifierText(max: number): z.ZodString {
  return plainText(max).superRefine((text, context) => {
    const fault = identifierFault(text);
    if (fault !== null) context.addIssue(fault);
  });
}
