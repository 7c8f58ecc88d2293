import type { EhrLaunch, EhrTerms } from './ehr.js';

/**
 * True where a desk that one registration opened would not be opened by the other, or for another patient or by other people: who the EHR is, whose
 * patients are ours, and whom it lets in. The desk ends then.
 */
export function isOpenedOtherwise(before: EhrTerms, after: EhrTerms): boolean {
  return (
    before.fhirBaseUrl !== after.fhirBaseUrl ||
    before.patientSystem !== after.patientSystem ||
    !isSameList(before.origins, after.origins) ||
    !isSameLaunch(before.launch, after.launch)
  );
}

function isSameLaunch(before: EhrLaunch | null, after: EhrLaunch | null): boolean {
  if (before === null || after === null) return before === after;
  return (
    before.clientId === after.clientId &&
    before.clientType === after.clientType &&
    before.clientSecret === after.clientSecret &&
    before.people === after.people &&
    isSameList(before.scopes, after.scopes)
  );
}

/** Whatever the order. */
function isSameList(before: readonly string[] | null, after: readonly string[] | null): boolean {
  if (before === null || after === null) return before === after;
  return [...before].sort().join('\n') === [...after].sort().join('\n');
}
