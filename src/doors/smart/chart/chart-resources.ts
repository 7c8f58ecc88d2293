import { z } from 'zod';

const NAME = z.looseObject({
  use: z.string().optional(),
  text: z.string().optional(),
  family: z.string().optional(),
  given: z.array(z.string().nullable()).optional(),
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
