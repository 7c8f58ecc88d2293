import type { Reference } from '@medplum/fhirtypes';
import { targetOf } from '../interactions/reference-walk.js';

/** The id that a relative reference to this type names; null for any other reference, and for none. */
export function idOf(reference: Reference | undefined, type: string): string | null {
  const target = targetOf(reference?.reference ?? '');
  return target?.type === type ? target.id : null;
}

/** The ids of those references that point to this type. */
export function idsOf(references: readonly Reference[] | undefined, type: string): string[] {
  return (references ?? []).flatMap((reference) => idOf(reference, type) ?? []);
}
