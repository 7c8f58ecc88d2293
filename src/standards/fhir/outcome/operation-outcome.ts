import type { OperationOutcome, OperationOutcomeIssue } from '@medplum/fhirtypes';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import type { FieldError, SuturaError } from '../../../core/errors/sutura-error.js';
import { PROBLEM_STATUS } from '../../../platform/http/problem.js';
import { CANONICAL_BASE } from '../profiles/profile-library.js';
import { issueTypeOf } from './issue-type.js';
import { OutcomeError } from './outcome-error.js';

/** The id of what waits for a person, on an issue (valueId). */
export const HELD_ID_EXTENSION = `${CANONICAL_BASE}StructureDefinition/held-id`;
const ERROR_SYSTEM = `${CANONICAL_BASE}CodeSystem/error`;
/** Further issues would say nothing new. */
const ISSUE_LIMIT = 50;

/** A refusal in R4's words: one issue for each place at fault, else one. Carries the request id, what waits because of it, and nothing that was sent. */
export function toOperationOutcome(error: SuturaError, requestId: string): OperationOutcome {
  const { heldId } = error.facts;
  return {
    resourceType: 'OperationOutcome',
    issue: issuesOf(error).map((issue) => ({
      ...(heldId === undefined ? {} : { extension: [{ url: HELD_ID_EXTENSION, valueId: heldId }] }),
      ...issue,
      diagnostics: `requestId=${requestId}${heldId === undefined ? '' : `; heldId=${heldId}`}`,
    })) as OperationOutcome['issue'],
  };
}

/** The HTTP status of a refusal. R4 asks for 412 where the native API has 428 (standards 3.2). */
export function outcomeStatus(error: SuturaError): number {
  return error.kind === 'precondition_required' ? PROBLEM_STATUS.precondition_failed : PROBLEM_STATUS[error.kind];
}

/** An outcome that says that all is well, or what was left out. */
export function informationOutcome(text: string): OperationOutcome {
  return {
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'information', code: 'informational', details: { text } }],
  };
}

/** An outcome of what was done, with what its sender has to know of it; undefined: there is nothing. */
export function warningOutcome(texts: readonly string[]): OperationOutcome | undefined {
  if (texts.length === 0) return undefined;
  return {
    resourceType: 'OperationOutcome',
    issue: texts.map((text) => ({ severity: 'warning', code: 'business-rule', details: { text } })),
  };
}

function issuesOf(error: SuturaError): OperationOutcomeIssue[] {
  if (error instanceof OutcomeError && error.issues.length > 0) {
    return error.issues.slice(0, ISSUE_LIMIT).map(({ severity, code, expression, location, details }) => ({
      severity,
      code,
      details: severity === 'error' ? { coding: codingOf(error), text: details } : { text: details },
      expression: [expression],
      ...(location === undefined ? {} : { location: [location] }),
    }));
  }
  const fields = error.facts.errors ?? [];
  if (fields.length > 0) return fields.slice(0, ISSUE_LIMIT).map((field) => fieldIssue(error, field));
  const severity = error.kind === 'internal' ? 'fatal' : 'error';
  return [{ severity, code: issueTypeOf(error), details: { coding: codingOf(error), text: error.detail } }];
}

function fieldIssue(error: SuturaError, { pointer, detail }: FieldError): OperationOutcomeIssue {
  const place = placeOf(pointer);
  return {
    severity: 'error',
    code: issueTypeOf(error),
    details: { coding: codingOf(error), text: `${place} ${detail}` },
    expression: [place],
  };
}

/** R4 names parameters and headers `http.name` and `http.header.name` (OperationOutcome.issue.location). */
function placeOf(pointer: string): string {
  const [, where, ...rest] = pointer.split('/');
  if (where === 'query') return `http.${rest.join('.')}`;
  return where === 'header' ? `http.header.${rest.join('.')}` : `http.body.${[where, ...rest].join('.')}`;
}

function codingOf(error: SuturaError): { system: string; code: string; display: string }[] {
  return [{ system: ERROR_SYSTEM, code: toCode(error.code), display: error.title }];
}

/** `quota.exceeded` of the native API is `quota-exceeded` in the code system. */
function toCode(code: ErrorCode): string {
  return code.replace(/[._]/g, '-');
}
