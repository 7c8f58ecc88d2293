import type { EhrDialect, EhrTerms } from './ehr.js';

/** What was filed at an EHR: a version as one, or each of its parts by itself. */
export interface FiledForm {
  readonly isInOne: boolean;
}

/** Whether a dialect files all of a version as one: a part of the one is not found again by the other. */
export function filesInOne(dialect: EhrDialect): boolean {
  return dialect === 'transaction';
}

/**
 * Whether corrections and withdrawals of what was filed would no longer reach it: ids are those of one address, and parts are those of one way of
 * filing. `filed`: what stands there, may stand there or is on its way.
 */
export function losesFiled(
  present: Pick<EhrTerms, 'fhirBaseUrl'>,
  { fhirBaseUrl, push }: Pick<EhrTerms, 'fhirBaseUrl' | 'push'>,
  filed: readonly FiledForm[],
): boolean {
  if (filed.length > 0 && fhirBaseUrl !== present.fhirBaseUrl) return true;
  return push !== null && filed.some(({ isInOne }) => isInOne !== filesInOne(push.dialect));
}
