import { error, type ResourceIssue } from './resource-issue.js';

/** Deeper than any resource is; a thousand extensions within each other would end the stack of what descends into them. */
const MAX_DEPTH = 100;

/**
 * What FHIR's JSON form asks of any object (R4 json.html), before anything looks at its meaning: nothing is empty, and no name is one
 * that every object of JavaScript has, which Medplum's validator would take for a known element, or call.
 */
export function checkJsonForm(value: unknown, path: string, depth = 0): ResourceIssue[] {
  if (typeof value === 'string') return value === '' ? [error('structure', path, 'A text that is there is not empty.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (depth > MAX_DEPTH) return [error('structure', path, 'Nested too deeply.')];
  const members = Array.isArray(value) ? value.map((each: unknown, index): [string, unknown] => [`${path}[${index}]`, each]) : Object.entries(value).map(([key, each]): [string, unknown] => [`${path}.${key}`, each]);
  if (members.length === 0) return [error('structure', path, 'An element that is there is not empty.')];
  if (!Array.isArray(value) && Object.keys(value).some((key) => key in Object.prototype)) return [error('structure', path, 'Unknown element.')];
  return members.flatMap(([at, each]) => checkJsonForm(each, at, depth + 1));
}
