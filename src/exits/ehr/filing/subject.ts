import { parsedAddress } from '../../../core/ehrs/ehr-addresses.js';
import type { Ehr } from '../../../core/ehrs/ehr.js';
import type { AnsweredResource } from '../calls/fhir-answer.js';

/**
 * `Patient/id` in whose chart a resource of the EHR is; null: in none of its patients'. A server names them by a relative address or by its own,
 * whose host may be the one that it has behind a proxy.
 */
export function subjectOf(resource: AnsweredResource, { fhirBaseUrl }: Pick<Ehr, 'fhirBaseUrl'>): string | null {
  const { subject } = resource as { readonly subject?: { readonly reference?: unknown } | null };
  const reference = subject?.reference;
  if (typeof reference !== 'string') return null;
  const base = `${new URL(fhirBaseUrl).pathname.replace(/\/$/, '')}/`;
  const path = parsedAddress(reference)?.pathname ?? null;
  const relative = path === null ? reference : path.startsWith(base) ? path.slice(base.length) : '';
  return /^(Patient\/[A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/.exec(relative)?.[1] ?? null;
}
