/** What the rest of the FHIR door may use of outcomes. */
export { OutcomeError } from './outcome-error.js';
export { informationOutcome, outcomeStatus, toOperationOutcome } from './operation-outcome.js';
export { renderOutcome } from './outcome-renderer.js';
