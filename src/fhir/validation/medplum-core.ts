import './websocket.js';

/** Medplum's core; everything below src/fhir takes it from here, because it does not load on Node 20 by itself. */
export {
  applyPatch,
  evalFhirPathTyped,
  isDataTypeLoaded,
  loadDataType,
  LRUCache,
  OperationOutcomeError,
  toTypedValue,
  tryGetDataType,
  validateResource,
  type FhirPathAtom,
  type InternalTypeSchema,
  type PatchOperation,
} from '@medplum/core';
