import type { Bundle, ResourceType } from '@medplum/fhirtypes';
import type { FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';

export interface SearchOptions {
  /** `Prefer: handling=strict`: an unknown parameter is refused instead of ignored. */
  readonly strict: boolean;
  /** 'own': only resources that this caller's key created. */
  readonly visible: 'all' | 'own';
}

/** Search over a tenant's resources (R4 search.html; standards 3.3). */
export abstract class ResourceSearch {
  /** A searchset. Parameters as sent, `_`-parameters included. `fhir.search`. */
  abstract search(
    call: FhirCall,
    type: ResourceType,
    parameters: URLSearchParams,
    options: SearchOptions,
  ): Promise<Bundle>;
  /** At most `limit` resources that the criteria (a search without its `?`) match; strict. `fhir.search`. */
  abstract match(call: FhirCall, type: ResourceType, criteria: string, limit: number): Promise<StoredResource[]>;
}

/** The search for resources that carry any of these identifiers. */
export function identifierCriteria(
  identifiers: readonly { readonly system: string; readonly value: string }[],
): string {
  return new URLSearchParams({
    identifier: identifiers.map(({ system, value }) => `${escaped(system)}|${escaped(value)}`).join(','),
  }).toString();
}

/** A value of a criterion (R4 search.html 3.1.1.4.2). */
export function escaped(text: string): string {
  return text.replace(/[\\,|$]/g, (sign) => `\\${sign}`);
}
