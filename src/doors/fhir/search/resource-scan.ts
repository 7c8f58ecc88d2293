import type { ResourceType } from '@medplum/fhirtypes';
import type { FhirCall } from '../call/fhir-call.js';
import type { ScannedResource } from '../../../standards/fhir/store/resource-finder.js';

/** A walk through everything that a search matches, however much that is. */
export abstract class ResourceScan {
  /** The next matches in the order of their ids, behind `after`, at most `limit`; strict. `fhir.search`, `auth.scope`. */
  abstract idsAfter(
    call: FhirCall,
    type: ResourceType,
    parameters: URLSearchParams,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<ScannedResource[]>;
}
