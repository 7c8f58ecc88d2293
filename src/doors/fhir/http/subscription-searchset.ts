import type { Bundle, Parameters, Subscription } from '@medplum/fhirtypes';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import type { FhirExchange } from './fhir-exchange.js';

/** All that matches, and the query of the page behind this one; null: there is none. */
interface SearchExtent {
  readonly total: number;
  readonly next: string | null;
}

/** Subscriptions, or their statuses, as a `searchset` of this id. */
export function searchsetAnswer(
  { base, form }: Pick<FhirExchange, 'base' | 'form'>,
  id: string,
  found: readonly (Subscription | Parameters)[],
  { total, next }: SearchExtent = { total: found.length, next: null },
): HttpAnswer {
  const bundle: Bundle = {
    resourceType: 'Bundle',
    id,
    type: 'searchset',
    total,
    ...(next === null ? {} : { link: [{ relation: 'next', url: `${base}/Subscription?${next}` }] }),
    ...(found.length === 0
      ? {}
      : {
          entry: found.map((resource) => ({
            fullUrl:
              resource.resourceType === 'Parameters'
                ? `urn:uuid:${resource.id}`
                : `${base}/Subscription/${resource.id}`,
            resource,
            search: { mode: 'match' },
          })),
        }),
  };
  return { status: 200, headers: form.headers, body: form.textOf(bundle) };
}
