import type { OperationOutcomeIssue, Resource } from '@medplum/fhirtypes';
import { coreTypeOf, referencedType } from './reference-target.js';
import { error, type IssueCode, type ResourceIssue } from './resource-issue.js';

/** Medplum 5.2.13 reports nearly everything as `structure`; its texts tell more. Texts that quote the resource are replaced. */
const READINGS: readonly (readonly [RegExp, IssueCode, string?])[] = [
  [/^Missing required property/, 'required', 'A required element is missing.'],
  [/^Invalid additional property/, 'structure', 'Unknown element.'],
  [/^Invalid (null|undefined|empty)/, 'structure', 'An element that is there has a value.'],
  [/^Expected (array|single)/, 'structure'],
  [/^(Invalid|Incorrect) number of values/, 'structure'],
  [/^Invalid JSON type: expected \w+, but got \w+$/, 'value'],
  [/^Invalid \w+ (format|value)$/, 'value'],
  [/^(String|Expected number|base64Binary exceeds)/, 'value'],
  [/^Value did not match/, 'value'],
];
/** Its invariants: all of R4's are asked in demands/. */
const INVARIANT = /^(Constraint |Error evaluating)/;
const CHOICE = /^Conflicting choice of type properties: "([^"]+)", "([^"]+)"/;
const CHOICE_EXTENSION = /^Type of primitive extension does not match/;
const BASE64 = /^Invalid base64Binary format/;
const REFERENCE = /^Invalid reference: got "[^]*?", expected (.*)$/;

/** One of Medplum's issues in our words. Its warnings about references and choices are errors in R4 and become such. */
export function fromMedplum(issue: OperationOutcomeIssue, resource: Resource): ResourceIssue[] {
  const text = issue.details?.text ?? '';
  if (INVARIANT.test(text)) return [];
  const expression = toExpression(issue.expression?.[0] ?? resource.resourceType);
  const choice = CHOICE.exec(text);
  if (choice !== null) return conflictingChoices(resource, choice[1]!, choice[2]!);
  if (CHOICE_EXTENSION.test(text))
    return [error('structure', resource.resourceType, 'An extension of one type stands beside a value of another.')];
  if (BASE64.test(text) && isWrappedBase64(valueAt(resource, issue.expression![0]!))) return [];
  const reference = REFERENCE.exec(text);
  if (reference !== null) return wrongTarget(resource, issue.expression![0]!, reference[1]!);
  const [, code, details] = READINGS.find(([pattern]) => pattern.test(text)) ?? [
    null,
    'structure' as const,
    'Not valid by the base definition.',
  ];
  return [error(code, expression, details ?? text)];
}

/** R4 allows whitespace in base64, as in lines of 76 characters; Medplum does not. */
function isWrappedBase64(value: unknown): boolean {
  if (typeof value !== 'string' || !/\s/.test(value)) return false;
  const text = value.replace(/\s+/g, '');
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Medplum takes the text before the first slash for the type, and so warns of `urn:` and of absolute references too. */
function wrongTarget(resource: Resource, path: string, expected: string): ResourceIssue[] {
  const allowed = [...expected.matchAll(/"([^"]+)"/g)].map(([, profile]) => coreTypeOf(profile!) ?? '');
  const value = valueAt(resource, path) as { reference?: unknown } | undefined;
  const type = typeof value?.reference === 'string' ? referencedType(value.reference) : undefined;
  if (type === undefined || (type !== null && allowed.includes(type))) return [];
  return [
    error('value', `${toExpression(path)}.reference`, `A reference to ${allowed.join(' or ')} is expected here.`),
  ];
}

/** Medplum names the two keys and not the place. */
function conflictingChoices(resource: Resource, one: string, other: string): ResourceIssue[] {
  return objectsWith(resource, resource.resourceType, one, other).map((path) =>
    error('structure', `${path}.${one}`, 'A choice element has one value of one type.'),
  );
}

function objectsWith(value: unknown, path: string, one: string, other: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => objectsWith(each, `${path}[${index}]`, one, other));
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.entries(value).flatMap(([key, each]) => objectsWith(each, `${path}.${key}`, one, other));
  return one in value && other in value ? [path, ...within] : within;
}

/** The value at one of Medplum's paths (`Observation.performer[0]`, `Extension.value[x]`). */
function valueAt(resource: Resource, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, step) => {
      const [, name, index] = /^(.*?)(?:\[(\d+)\])?$/.exec(step) ?? [];
      const object = value as Record<string, unknown> | undefined;
      // Only a reference is looked for, so that a choice here is the reference among its types.
      const found = name!.endsWith('[x]') ? object?.[`${name!.slice(0, -3)}Reference`] : object?.[name!];
      return index === undefined ? found : (found as unknown[] | undefined)?.[Number(index)];
    }, resource);
}

/** FHIRPath, without the `[x]` of definitions; a key that is no name of an element is the caller's text, and is left out. */
export function toExpression(path: string): string {
  const steps = path.replaceAll('[x]', '').split('.');
  const strange = steps.findIndex((step) => !/^_?[A-Za-z]\w{0,63}(\[\d+\])?$/.test(step));
  return (strange === -1 ? steps : steps.slice(0, Math.max(strange, 1))).join('.');
}
