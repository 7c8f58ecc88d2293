import { error, type ResourceIssue } from './resource-issue.js';

/** Deeper than any real resource; a thousand nested extensions would exhaust the stack. */
export const MAX_DEPTH = 100;

type Members = Readonly<Record<string, unknown>>;

/**
 * The rules of FHIR's JSON form for any object (R4 json.html), before its meaning: nothing is null or empty, and no name
 * is one that every object of JavaScript has, which Medplum's validator would take for a known element, or call.
 */
export function checkJsonForm(value: Members, path: string, depth = 0): ResourceIssue[] {
  if (depth > MAX_DEPTH) return [error('structure', path, 'Nested too deeply.')];
  const entries = Object.entries(value);
  if (entries.length === 0) return [empty(path)];
  if (entries.some(([key]) => key in Object.prototype)) return [error('structure', path, 'Unknown element.')];
  return entries.flatMap(([key, member]) =>
    Array.isArray(member)
      ? checkList(member, value[partnerOf(key)], `${path}.${key}`, depth)
      : checkMember(member, `${path}.${key}`, depth),
  );
}

/** A null keeps the place of a value in a list of primitives where the list of their extensions has one, or the other way round. */
function checkList(list: readonly unknown[], partner: unknown, path: string, depth: number): ResourceIssue[] {
  if (list.length === 0) return [empty(path)];
  return list.flatMap((item, index) => {
    const keepsPlace =
      item === null && Array.isArray(partner) && partner[index] !== null && partner[index] !== undefined;
    if (Array.isArray(item)) return [error('structure', `${path}[${index}]`, 'A list holds no lists.')];
    return keepsPlace ? [] : checkMember(item, `${path}[${index}]`, depth);
  });
}

function checkMember(value: unknown, path: string, depth: number): ResourceIssue[] {
  if (value === null || value === '') return [empty(path)];
  return typeof value === 'object' ? checkJsonForm(value as Members, path, depth + 1) : [];
}

function partnerOf(key: string): string {
  return key.startsWith('_') ? key.slice(1) : `_${key}`;
}

function empty(path: string): ResourceIssue {
  return error('structure', path, 'An element that is there has a value.');
}
