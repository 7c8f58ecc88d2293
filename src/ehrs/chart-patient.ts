import { z } from 'zod';
import type { ChartPatient } from '../core/ehrs/chart-identity.js';

const LONGEST_VALUE = 512;
const LONGEST_SYSTEM = 2000;
const MOST_IDENTIFIERS = 200;

const IDENTIFIER = z.looseObject({
  use: z.string().optional(),
  system: z.string().max(LONGEST_SYSTEM).optional(),
  value: z.string().optional(),
  type: z
    .looseObject({
      coding: z.array(z.looseObject({ system: z.string().optional(), code: z.string().optional() })).optional(),
    })
    .optional(),
  period: z.looseObject({ start: z.string().optional(), end: z.string().optional() }).optional(),
});

/** A Patient of an EHR, as far as it says who is meant. */
export const EHR_PATIENT = z.looseObject({
  resourceType: z.literal('Patient'),
  id: z.string(),
  identifier: z.array(IDENTIFIER).max(MOST_IDENTIFIERS).optional(),
  birthDate: z.string().optional(),
});

/** What of it counts. */
export function toChartPatient({ identifier = [], birthDate }: z.output<typeof EHR_PATIENT>): ChartPatient {
  const numbers = identifier
    .filter(({ value = '' }) => value !== '' && value.length <= LONGEST_VALUE)
    .map(({ use, system, value, type, period }) => ({ use, system, value, type, period }));
  return { numbers, birthDate: birthDate ?? null };
}
