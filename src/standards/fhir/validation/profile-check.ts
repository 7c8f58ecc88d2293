import type { Extension, Reference, Resource, StructureDefinition } from '@medplum/fhirtypes';
import { evalFhirPathTyped, LRUCache, toTypedValue, type FhirPathAtom } from '../definitions/medplum-core.js';
import { equals, includesPattern } from './pattern.js';
import type { ElementRules } from '../profiles/profile-rules.js';
import { coreTypeOf, referencedType } from './reference-target.js';
import { error, type ResourceIssue } from './resource-issue.js';

/** The definitions that the check looks up. */
interface ProfileSource {
  /** The profile and its rules; undefined for a profile that is not ours. */
  find(url: string): { readonly profile: StructureDefinition; readonly rules: ElementRules } | undefined;
  /** True where one of our own value sets has this code. */
  hasCode(valueSet: string, system: string | undefined, code: string | undefined): boolean;
}

export interface Context {
  readonly source: ProfileSource;
  readonly resource: Resource;
}
interface Found {
  readonly value: unknown;
  readonly path: string;
  /** The key where it stood, which tells the type of a choice. */
  readonly key: string;
}

const parsed = new LRUCache<FhirPathAtom>(200);
const unmet = (path: string, details: string): ResourceIssue => error('invariant', path, details);

/** Checks the demands of a profile beyond the base definition, which the resource is taken to meet. */
export function checkProfile(resource: Resource, rules: ElementRules, source: ProfileSource): ResourceIssue[] {
  return checkValue({ value: resource, path: resource.resourceType, key: '' }, rules, { source, resource });
}

/** The same of one extension, at its place in a resource. */
export function checkExtension(
  extension: Extension,
  path: string,
  rules: ElementRules,
  context: Context,
): ResourceIssue[] {
  return checkValue({ value: extension, path, key: 'extension' }, rules, context);
}

function checkValue(found: Found, rules: ElementRules, context: Context): ResourceIssue[] {
  const { value, path } = found;
  const issues: ResourceIssue[] = [];
  if (rules.fixed !== undefined && !equals(value, rules.fixed))
    issues.push(unmet(path, 'The profile fixes another value.'));
  if (rules.pattern !== undefined && !includesPattern(value, rules.pattern))
    issues.push(unmet(path, 'The value does not match the profile.'));
  if (rules.types !== undefined) issues.push(...checkType(found, rules, context));
  if (
    rules.valueSet !== undefined &&
    !codesOf(value).some(({ system, code }) => context.source.hasCode(rules.valueSet!, system, code))
  ) {
    issues.push(unmet(path, `Not a code of the required value set ${rules.valueSet}.`));
  }
  for (const { key, human, expression } of rules.constraints) {
    if (!holds(expression!, value, context.resource)) issues.push(unmet(path, `Constraint ${key!} not met: ${human!}`));
  }
  for (const child of rules.children.values()) issues.push(...checkElement(value as object, path, child, context));
  return issues;
}

function checkElement(parent: object, parentPath: string, rules: ElementRules, context: Context): ResourceIssue[] {
  const values = valuesOf(parent, parentPath, rules.name);
  const path = `${parentPath}.${rules.name.replace('[x]', '')}`;
  const issues = checkCount(values.length, path, rules, 'The profile');
  const members = new Map([...rules.slices.keys()].map((slice): [string, Found[]] => [slice, []]));
  for (const found of values) {
    issues.push(...checkValue(found, rules, context));
    const slice = [...rules.slices].find(([, slice]) =>
      rules.slicing!.paths.every((discriminator) => matches(found.value, discriminator, slice)),
    );
    if (slice !== undefined) members.get(slice[0])!.push(found);
  }
  for (const [name, slice] of rules.slices) {
    const inSlice = members.get(name)!;
    issues.push(
      ...checkCount(inSlice.length, path, slice, `The slice ${name}`),
      ...inSlice.flatMap((found) => checkValue(found, slice, context)),
    );
  }
  return issues;
}

function checkCount(count: number, path: string, { min, max }: ElementRules, who: string): ResourceIssue[] {
  if (count < min)
    return [unmet(path, `${who} demands at least ${min}, there ${count === 1 ? 'is' : 'are'} ${count}.`)];
  return count > max ? [unmet(path, `${who} allows at most ${max}, there are ${count}.`)] : [];
}

/** Values of an element with their places; for a choice, of whichever type is present. A value that only has extensions counts. */
function valuesOf(parent: object, parentPath: string, name: string): Found[] {
  const stated = parent as Record<string, unknown>;
  const key = name.endsWith('[x]') ? Object.keys(stated).find((each) => isChoice(each, name.slice(0, -3))) : name;
  const value = key === undefined ? undefined : stated[key];
  const path = `${parentPath}.${name.replace('[x]', '')}`;
  if (Array.isArray(value))
    return value.map((each, index) => ({ value: each as unknown, path: `${path}[${index}]`, key: key! }));
  if (value !== undefined) return [{ value, path, key: key! }];
  return `_${key ?? name}` in stated ? [{ value: stated[`_${key ?? name}`], path, key: key ?? name }] : [];
}

function isChoice(key: string, name: string): boolean {
  return key.startsWith(name) && /^[A-Z]/.test(key.slice(name.length));
}

function matches(value: unknown, discriminator: string, slice: ElementRules): boolean {
  const rules = discriminator === '$this' ? slice : slice.children.get(discriminator);
  const compared = discriminator === '$this' ? value : (value as Record<string, unknown>)[discriminator];
  if (rules?.fixed !== undefined) return equals(compared, rules.fixed);
  return rules?.pattern !== undefined && includesPattern(compared, rules.pattern);
}

function checkType(
  { value, path, key }: Found,
  { name, types }: ElementRules,
  { source, resource }: Context,
): ResourceIssue[] {
  if (
    name.endsWith('[x]') &&
    !types!.some(({ code }) => key === `${name.slice(0, -3)}${code![0]!.toUpperCase()}${code!.slice(1)}`)
  ) {
    return [unmet(path, `The profile wants ${types!.map(({ code }) => code!).join(' or ')} here.`)];
  }
  const targets = types!
    .flatMap(({ targetProfile }) => targetProfile ?? [])
    .map((profile) => coreTypeOf(profile) ?? source.find(profile)?.profile.type);
  const reference = (value as Reference | undefined)?.reference;
  const type = targets.length > 0 && typeof reference === 'string' ? referencedType(reference) : undefined;
  if (type !== undefined && !targets.includes(type ?? undefined))
    return [unmet(`${path}.reference`, `The profile wants a reference to ${targets.join(' or ')} here.`)];
  const profiles = types!.flatMap(({ profile }) => profile ?? []).flatMap((profile) => source.find(profile) ?? []);
  return profiles.flatMap(({ rules }) => checkValue({ value, path, key }, rules, { source, resource }));
}

function codesOf(value: unknown): readonly { system?: string; code?: string }[] {
  const { coding, code, system } = value as {
    coding?: { system?: string; code?: string }[];
    code?: string;
    system?: string;
  };
  // A code alone is of whichever system the value set has; a coding states its system.
  return typeof value === 'string'
    ? [{ code: value }]
    : (coding ?? [{ system, code }]).map((each) => ({ ...each, system: each.system ?? '' }));
}

function holds(expression: string, value: unknown, resource: Resource): boolean {
  const root = toTypedValue(resource);
  try {
    const result = evalFhirPathTyped(
      expression,
      [toTypedValue(value)],
      { '%context': toTypedValue(value), '%resource': root, '%rootResource': root },
      parsed,
    );
    return result.length === 1 && result[0]!.value === true;
  } catch {
    // The expression cannot compute with values of this type: the rule does not hold.
    return false;
  }
}
