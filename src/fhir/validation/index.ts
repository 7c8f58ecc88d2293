/** What the rest of the FHIR door may use of validation. */
export { decodeBase64 } from './base64.js';
export { R4Definitions } from './r4-definitions.js';
export { ResourceValidator } from './resource-validator.js';
export { ThreadedValidation } from './threaded-validation.js';
export type { Verdict } from './verdict.js';
export type { IssueCode, ResourceIssue } from './resource-issue.js';
