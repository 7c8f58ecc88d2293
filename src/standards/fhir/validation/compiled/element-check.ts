import { isInValueSet } from '../binding-check.js';
import type { InternalSchemaElement } from '../../definitions/medplum-core.js';
import { coreTypeOf, referencedType } from '../reference-target.js';
import type { RequiredValueSets } from '../../definitions/required-value-sets.js';
import type { Check, Members } from '../check.js';

/** The types in which Medplum's validator takes a required binding for one of a code. */
const CODED_TYPES = new Set(['CodeableConcept', 'Coding', 'code', 'Quantity', 'string', 'uri']);
const ANY = 'Resource';

/** Checks the number of values, and that they are in a list where there may be several. */
export function countCheck({ isArray = false, min, max }: InternalSchemaElement, one: Check): Check {
  if (!isArray) return max < 1 || min > 1 ? () => false : one;
  const least = Math.max(min, 1);
  return (value, walk, depth) => {
    if (!Array.isArray(value) || value.length < least || value.length > max) return false;
    for (const item of value as unknown[]) if (!one(item, walk, depth)) return false;
    return true;
  };
}

/** The value set that values of this type have to be of; undefined where there is none. */
export function requiredValueSet({ binding }: InternalSchemaElement, type: string): string | undefined {
  return binding?.strength === 'required' && CODED_TYPES.has(type) ? binding.valueSet : undefined;
}

export function bindingChecks(element: InternalSchemaElement, type: string, valueSets: RequiredValueSets): Check[] {
  const valueSet = requiredValueSet(element, type);
  return valueSet === undefined ? [] : [(value) => isInValueSet(type, value, valueSet, valueSets)];
}

/** A reference that says its type has one of those that the element may refer to. */
export function referenceChecks(element: InternalSchemaElement, type: string): Check[] {
  const profiles =
    type === 'Reference' ? element.type.find(({ code }) => code === 'Reference')?.targetProfile : undefined;
  if (profiles === undefined) return [];
  const allowed = new Set(profiles.map(coreTypeOf));
  if (allowed.has(ANY)) return [];
  return [
    (value) => {
      const { reference } = value as Members;
      // Quotation marks would be ambiguous in Medplum's message about the reference, which the exact way reads.
      if (typeof reference !== 'string') return reference === undefined;
      const target = reference.includes('"') ? null : referencedType(reference);
      return target === undefined || (target !== null && allowed.has(target));
    },
  ];
}
