import type { OperationOutcomeIssue } from '@medplum/fhirtypes';
import type { ErrorCode, ErrorKind } from '../../../core/errors/catalogue.js';
import type { SuturaError } from '../../../core/errors/sutura-error.js';

type IssueType = OperationOutcomeIssue['code'];

const BY_KIND: Readonly<Record<ErrorKind, IssueType>> = {
  bad_request: 'invalid',
  unauthenticated: 'login',
  forbidden: 'forbidden',
  not_found: 'not-found',
  method_not_allowed: 'not-supported',
  not_acceptable: 'not-supported',
  timed_out: 'timeout',
  conflict: 'conflict',
  gone: 'deleted',
  precondition_failed: 'conflict',
  too_large: 'too-long',
  uri_too_long: 'too-long',
  unsupported_type: 'not-supported',
  unprocessable: 'processing',
  precondition_required: 'conflict',
  limited: 'throttled',
  headers_too_large: 'too-long',
  internal: 'exception',
  unavailable: 'transient',
  storage_full: 'no-store',
};

/** Codes whose kind says less than R4's issue-type can. */
const BY_CODE: Partial<Readonly<Record<ErrorCode, IssueType>>> = {
  'auth.expired': 'expired',
  // A body that is no JSON at all; a field of the request at fault is told apart below.
  'request.invalid': 'structure',
  'image.unreadable': 'value',
  'image.damaged': 'value',
  'image.type': 'value',
  'fhir.structure': 'structure',
  'fhir.profile': 'invariant',
  'fhir.narrative': 'invariant',
  'fhir.type_not_supported': 'not-supported',
  'fhir.duplicate': 'duplicate',
  'fhir.multiple_matches': 'multiple-matches',
  'fhir.no_match': 'not-found',
  'fhir.image': 'value',
  'fhir.url_refused': 'business-rule',
  'fhir.business_rule': 'business-rule',
  'model.research_only': 'business-rule',
  'cds.patient': 'required',
  'idempotency.mismatch': 'conflict',
  'idempotency.in_flight': 'transient',
};

/** R4's issue-type of a refusal as a whole. */
export function issueTypeOf(error: SuturaError): IssueType {
  if (error.code === 'request.invalid' && error.facts.errors !== undefined) return 'invalid';
  return BY_CODE[error.code] ?? BY_KIND[error.kind];
}
