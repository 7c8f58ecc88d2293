import type { CodeableConcept, Coding } from '@medplum/fhirtypes';
import type { RequiredValueSets, ValueSetCode } from '../definitions/required-value-sets.js';
import { error, type ResourceIssue } from './resource-issue.js';

/** Values of elements with a required binding, by value set, as Medplum's validator collects them. */
export type CollectedTokens = Record<string, { type: string; value: unknown; path: string }[]>;

/** Medplum's validator checks no codes; R4 refuses a code outside a required binding. */
export function checkRequiredBindings(tokens: CollectedTokens, valueSets: RequiredValueSets): ResourceIssue[] {
  return Object.entries(tokens).flatMap(([valueSet, values]) =>
    values
      .filter(({ type, value }) => !isInValueSet(type, value, valueSet, valueSets))
      .map(({ path }) =>
        error('code-invalid', path, `Not a code of the required value set ${valueSet.split('|')[0]!}.`),
      ),
  );
}

/** True where a value of one of the coded types has a code of a value set. Of several codings one is enough. */
export function isInValueSet(type: string, value: unknown, valueSet: string, valueSets: RequiredValueSets): boolean {
  return codesOf(type, value).some((stated) => valueSets.allows(valueSet, stated));
}

function codesOf(type: string, value: unknown): ValueSetCode[] {
  if (type === 'CodeableConcept') {
    const { coding } = value as Partial<CodeableConcept>;
    // A value that should be a list is refused as such elsewhere, and has no code here.
    return Array.isArray(coding) ? coding : [];
  }
  if (type === 'Coding' || type === 'Quantity') return [value as Coding];
  // A primitive with extensions comes as an object of its class; one that has no value at all carries extensions alone.
  const code = (value as { valueOf(): unknown }).valueOf();
  return [typeof code === 'string' ? { code } : {}];
}
