import { z } from 'zod';
import type { StatedPatient } from '../../../core/launch/launch-context.js';

const LONGEST = 512;
const IDENTIFIER = z.looseObject({
  use: z.string().optional(),
  system: z.string().optional(),
  value: z.string().optional(),
  type: z
    .looseObject({
      coding: z.array(z.looseObject({ system: z.string().optional(), code: z.string().optional() })).optional(),
    })
    .optional(),
  period: z.looseObject({ end: z.string().optional() }).optional(),
});
const NAME = z.looseObject({
  use: z.string().optional(),
  text: z.string().optional(),
  family: z.string().optional(),
  given: z.array(z.string().nullable()).optional(),
});

export const PATIENT = z.looseObject({
  resourceType: z.literal('Patient'),
  id: z.string(),
  identifier: z.array(IDENTIFIER).max(200).optional(),
  birthDate: z.string().optional(),
});
export const ENCOUNTER = z.looseObject({
  resourceType: z.literal('Encounter'),
  id: z.string(),
  subject: z.looseObject({ reference: z.string().optional() }).optional(),
});
export const CLINICIAN = z.looseObject({
  resourceType: z.enum(['Practitioner', 'PractitionerRole']),
  name: z.array(NAME).max(50).optional(),
  practitioner: z.looseObject({ display: z.string().optional() }).optional(),
});

/** Who a Patient is: its identifiers without those whose time was over before this day (`2026-03-15`), and its birth date. */
export function statedPatient({ identifier = [], birthDate }: z.output<typeof PATIENT>, today: string): StatedPatient {
  const numbers = identifier
    .filter(({ value = '', period }) => {
      const isOver = period?.end !== undefined && period.end.slice(0, 10) < today;
      return !isOver && value !== '' && value.length <= LONGEST;
    })
    .map(({ use, system, value, type }) => ({ use, system, value, type }));
  const isDate = birthDate !== undefined && /^\d{4}(-\d{2}(-\d{2})?)?$/.test(birthDate);
  return { numbers, birthDate: isDate ? birthDate : null };
}

/** As the person signs: `Anna Beispiel`; null: the record has no name. */
export function nameOf({ name = [], practitioner }: z.output<typeof CLINICIAN>): string | null {
  const official = name.find(({ use }) => use === 'official') ?? name.find(({ use }) => use !== 'old');
  const parts = [...(official?.given ?? []).filter((one) => one !== null), official?.family ?? ''];
  return signable(official?.text) ?? signable(parts.join(' ')) ?? signable(practitioner?.display);
}

/** A text that can stand beneath a decision; null: none. */
export function signable(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const name = text
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return name === '' ? null : [...name].slice(0, 255).join('');
}
