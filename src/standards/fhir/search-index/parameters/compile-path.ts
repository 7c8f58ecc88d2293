import { tryGetDataType, type InternalTypeSchema } from '../../definitions/medplum-core.js';

/** A value of a resource with its FHIR type. */
export interface FoundValue {
  readonly type: string;
  readonly value: unknown;
  /** The system of the codes, for an element of type code with a required binding. */
  readonly system?: string;
}

/** The expression of a search parameter for one type, compiled: no FHIRPath is evaluated when a resource is stored. */
export interface ElementPath {
  /** The element: the expression without its filter on a reference's target. */
  readonly key: string;
  /** `where(resolve() is Patient)`: only references to it count. */
  readonly targetType?: string;
  walk(resource: unknown): FoundValue[];
}

/** Adds the values that it finds. Loops rather than lists: every write of a resource walks some thirty paths. */
type Step = (found: FoundValue, into: FoundValue[]) => void;

const VALUE_SET_BASE = 'http://hl7.org/fhir/ValueSet/';
const OF_TYPE = /^ofType\((\w+)\)$/;
const TARGET = /^where\(resolve\(\) is (\w+)\)$/;
const EXTENSION = /^extension\('([^']+)'\)$/;
const SYSTEM = /^where\(system='(\w+)'\)$/;
const NAME = /^\w+$/;
const SAID = /^(\w+(?:\.\w+)+)\.exists\(\) and \1 != false$/;

/**
 * The alternatives of an expression that apply to a type. What search parameters of R4 need is understood: elements, choices, `ofType`,
 * extensions by URL, contact points of a system, and a reference's target; anything else throws, at start rather than with a request.
 */
export function compileExpression(expression: string, type: string): ElementPath[] {
  const said = SAID.exec(expression);
  if (said !== null) return [compileSaid(said[1]!, type)];
  const alternatives = expression.split('|').map((alternative) => stripParentheses(alternative.trim()));
  const own = alternatives.filter((alternative) =>
    [type, 'Resource', 'DomainResource'].includes(alternative.split('.')[0]!),
  );
  return own.map((alternative) => compilePath(type, splitPath(alternative).slice(1)));
}

/** Whether an element is there and not false, for every resource: true or false, as R4 says it of a patient's death. */
function compileSaid(path: string, type: string): ElementPath {
  const element = compilePath(type, splitPath(path).slice(1));
  const isSaid = ({ value }: FoundValue): boolean => value !== false;
  return {
    key: `${element.key}.exists()`,
    walk: (resource) => [{ type: 'boolean', value: element.walk(resource).some(isSaid) }],
  };
}

/** A path below an element of a type, such as `value.ofType(Quantity)` below `Observation.component`. */
export function compilePath(type: string, segments: readonly string[], prefix = type): ElementPath {
  const target = segments.map((segment) => TARGET.exec(segment)?.[1]).find((each) => each !== undefined);
  const named = segments.filter((segment) => !TARGET.test(segment));
  const steps: Step[] = [];
  let types: readonly string[] = [type];
  named.forEach((segment, index) => {
    const next = compileSegment(segment, types, OF_TYPE.exec(named[index + 1] ?? '')?.[1]);
    steps.push(next.step);
    types = next.types;
  });
  return {
    key: [prefix, ...named].join('.'),
    ...(target === undefined ? {} : { targetType: target }),
    walk: (resource) => {
      const found = walkSteps(steps, { type, value: resource });
      return target === undefined ? found : found.filter(({ value }) => targetTypeOf(value) === target);
    },
  };
}

function walkSteps(steps: readonly Step[], start: FoundValue): FoundValue[] {
  let found: FoundValue[] = [start];
  for (const step of steps) {
    const next: FoundValue[] = [];
    for (const each of found) step(each, next);
    if (next.length === 0) return next;
    found = next;
  }
  return found;
}

export function splitPath(path: string): string[] {
  // HL7 wrote R4's expressions before there was ofType.
  const typed = path.replaceAll('.as(', '.ofType(').replaceAll(/ as (\w+)/g, '.ofType($1)');
  // Dots inside parentheses belong to a URL or a condition.
  return typed.split(/\.(?![^(]*\))/);
}

/** `only`: the one type of a choice that the next segment asks for. */
function compileSegment(
  segment: string,
  types: readonly string[],
  only: string | undefined,
): { step: Step; types: readonly string[] } {
  const wanted = OF_TYPE.exec(segment)?.[1];
  if (wanted !== undefined)
    return { step: (found, into) => void (found.type === wanted && into.push(found)), types: [wanted] };
  const url = EXTENSION.exec(segment)?.[1];
  if (url !== undefined) return { step: (found, into) => addExtensions(found, url, into), types: ['Extension'] };
  const system = SYSTEM.exec(segment)?.[1];
  if (system !== undefined)
    return {
      step: (found, into) => void ((found.value as { system?: unknown }).system === system && into.push(found)),
      types,
    };
  if (!NAME.test(segment)) throw new Error(`A search parameter's expression is not understood: ${segment}`);
  const members = new Map(
    types.map((type) => [type, elementsOf(type, segment).filter(([, each]) => only === undefined || each === only)]),
  );
  const all = [...members.values()].flat();
  if (all.length === 0) throw new Error(`No element ${segment} in ${types.join(', ')}.`);
  return {
    step: (found, into) => addMembers(found, members.get(found.type) ?? [], into),
    types: [...new Set(all.map(([, type]) => type))],
  };
}

/** Name in JSON, type, and the system of a code. */
type Member = readonly [name: string, type: string, system?: string];

function elementsOf(type: string, name: string): Member[] {
  const { elements } = schemaOf(type);
  const plain = elements[name];
  if (plain !== undefined) return [[name, plain.type[0]!.code, systemOf(plain.binding)]];
  return (elements[`${name}[x]`]?.type ?? []).map(({ code }): Member => [
    `${name}${code[0]!.toUpperCase()}${code.slice(1)}`,
    code,
  ]);
}

function schemaOf(type: string): InternalTypeSchema {
  const schema = tryGetDataType(type);
  if (schema === undefined) throw new Error(`The definition of ${type} is not loaded.`);
  return schema;
}

function systemOf(binding: { strength?: string; valueSet?: string } | undefined): string | undefined {
  const valueSet = binding?.strength === 'required' ? binding.valueSet?.split('|')[0] : undefined;
  // R4's own value sets of codes are named after their one code system.
  return valueSet?.startsWith(VALUE_SET_BASE)
    ? `http://hl7.org/fhir/${valueSet.slice(VALUE_SET_BASE.length)}`
    : undefined;
}

function addMembers(found: FoundValue, members: readonly Member[], into: FoundValue[]): void {
  const parent = found.value as Record<string, unknown>;
  for (const [name, type, system] of members) {
    const value = parent[name];
    if (value === undefined) continue;
    const add = (each: unknown): void => {
      if (each !== undefined && each !== null)
        into.push(system === undefined ? { type, value: each } : { type, value: each, system });
    };
    if (Array.isArray(value)) for (const each of value as unknown[]) add(each);
    else add(value);
  }
}

function addExtensions({ value }: FoundValue, url: string, into: FoundValue[]): void {
  for (const extension of (value as { extension?: { url?: string }[] }).extension ?? [])
    if (extension.url === url) into.push({ type: 'Extension', value: extension });
}

/** The type that a reference points at, where the reference states it. */
function targetTypeOf(reference: unknown): string | undefined {
  const { reference: literal, type } = reference as { reference?: string; type?: string };
  return /(?:^|\/)([A-Z]\w+)\/[A-Za-z0-9.-]{1,64}(?:\/_history\/[^/]+)?$/.exec(literal ?? '')?.[1] ?? type;
}

function stripParentheses(text: string): string {
  return text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1).trim() : text;
}
