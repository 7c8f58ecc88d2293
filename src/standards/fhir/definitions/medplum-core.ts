import './websocket.js';

/** Medplum's core; everything below src/doors/fhir takes it from here, because it does not load on Node 20 by itself. */
export {
  applyPatch,
  evalFhirPathTyped,
  fhirTypeToJsType,
  isDataTypeLoaded,
  isPrimitiveType,
  isValidCalendarDate,
  loadDataType,
  LRUCache,
  OperationOutcomeError,
  parseFhirPath,
  toTypedValue,
  tryGetDataType,
  UCUM,
  validateResource,
  validationRegexes,
  type Constraint,
  type FhirPathAtom,
  type InternalSchemaElement,
  type InternalTypeSchema,
  type PatchOperation,
} from '@medplum/core';
