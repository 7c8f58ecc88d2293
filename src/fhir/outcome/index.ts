/** What the rest of the FHIR door may use of outcomes. */
export { OutcomeError, type OutcomeIssue } from './outcome-error.js';
export { informationOutcome, outcomeStatus, toOperationOutcome, warningOutcome } from './operation-outcome.js';
export { renderOutcome } from './outcome-renderer.js';
