import type { Identifier } from '@medplum/fhirtypes';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';

/** An identifier as core has it: `system` '' stands for the organization's own numbering. */
export interface BusinessIdentifier {
  readonly system: string;
  readonly value: string;
}

/** Limits of the native API. */
const MAX_LENGTH = 255;
/** Uses of an identifier that was given to a record by mistake, or is no longer valid. */
const OUT_OF_USE: readonly Identifier['use'][] = ['old'];

/** The identifiers that a record can be known by, in their order. `fhir.business_rule` for one that is too long to be kept. */
export function businessIdentifiersOf(
  identifiers: readonly Identifier[] | undefined,
  place: string,
): BusinessIdentifier[] {
  const found = (identifiers ?? []).flatMap(({ system = '', value = '', use }, index) => {
    if (value.length > MAX_LENGTH || system.length > MAX_LENGTH)
      throw notPossible(`${place}[${index}]`, `System and value have at most ${MAX_LENGTH} characters each.`);
    return value === '' || OUT_OF_USE.includes(use) ? [] : [{ system, value }];
  });
  return found.filter(
    (one, index) => found.findIndex(({ system, value }) => system === one.system && value === one.value) === index,
  );
}
