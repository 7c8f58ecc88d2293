import { rowOf } from '../../../standards/fhir/types/served-types.js';
import type { OperationDirectory } from '../operations/operation-directory.js';
import type { FhirAddress } from './fhir-address.js';

/** The pattern that an address is of, for log and metrics: `/fhir/Patient/{id}`. Contains neither ids nor unknown types. */
export function routeOf(address: FhirAddress | null, operations: OperationDirectory): string {
  if (address === null) return '/fhir/*';
  const type =
    'type' in address && address.type !== null ? `/${rowOf(address.type) === undefined ? '{type}' : address.type}` : '';
  switch (address.kind) {
    case 'search':
      return `/fhir${type}/_search`;
    case 'instance':
      return `/fhir${type}/{id}`;
    case 'history':
      return `/fhir${type}/{id}/_history`;
    case 'changes':
      return `/fhir${type}/_history`;
    case 'version':
      return `/fhir${type}/{id}/_history/{version}`;
    case 'operation':
      return `/fhir${type}${address.id === null ? '' : '/{id}'}/${operations.find(address) === undefined ? '{operation}' : `$${address.name}`}`;
    case 'base':
    case 'metadata':
    case 'type':
      return `/fhir${type}`;
  }
}

/** `Type/id` of a request by id; null for any other. */
export function resourceOf(address: FhirAddress | null): string | null {
  if (address === null || !('id' in address) || address.id === null || !('type' in address) || address.type === null)
    return null;
  return rowOf(address.type) === undefined ? null : `${address.type}/${address.id}`;
}
