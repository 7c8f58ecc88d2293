import type { Resource } from '@medplum/fhirtypes';
import { tryGetDataType, type InternalSchemaElement } from '../../../standards/fhir/definitions/medplum-core.js';

/** An object of a resource, with the name of its type in R4's definitions. */
export interface PatchNode {
  readonly type: string;
  readonly value: unknown;
  /** Where it stands; null for the resource itself. A list holds its members by their index. */
  readonly holder: Readonly<{ object: Record<string, unknown>; key: string; index: number | null }> | null;
}

/** An element of a type as JSON has it: its name there, the type of what it holds, and whether it is a list. */
export interface PatchElement {
  readonly key: string;
  readonly type: string;
  readonly isList: boolean;
}

type Test = Readonly<{ path: readonly string[]; equal: boolean; literal: unknown }>;
type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'where'; readonly tests: readonly Test[] }
  | { readonly kind: 'end'; readonly of: 'first' | 'last' }
  | { readonly kind: 'type'; readonly type: string };

const LONGEST = 1024;
const NAME = /\.?([A-Za-z]\w*)(?![\w(])/y;
const INDEX = /\[(\d{1,6})\]/y;
const CALL = /\.([a-z]\w*)\(((?:[^()']|'(?:[^'\\]|\\.)*')*)\)/y;
const TEST =
  /^\s*([A-Za-z$]\w*(?:\.[a-z]\w*)*)\s*(!?=)\s*(?:'((?:[^'\\]|\\.)*)'|(true|false|-?\d{1,15}(?:\.\d{1,15})?))\s*$/;
const AND = /\s+and\s+(?=(?:[^']|'(?:[^'\\]|\\.)*')*$)/;

/**
 * A FHIRPath as R4's FHIRPath Patch allows it (fhirpatch.html: simple subset): elements, `[n]`, `first()`, `last()`, `ofType(T)`, `extension('url')`
 * and `where(a.b = 'c' and …)`. Evaluated in time linear in the resource, with no expression of the caller's that runs by itself.
 */
export class PatchPath {
  private constructor(private readonly steps: readonly Step[]) {}

  /** null for any other expression. */
  static read(text: string): PatchPath | null {
    if (text.length > LONGEST) return null;
    const steps: Step[] = [];
    for (let at = 0; at < text.length;) {
      const found = [NAME, INDEX, CALL].map((pattern) => matchAt(pattern, text, at)).find((match) => match !== null);
      const step = found === undefined ? null : stepOf(found);
      if (found === undefined || step === null) return null;
      steps.push(...step);
      at += found[0].length;
    }
    return steps[0]?.kind === 'name' ? new PatchPath(steps) : null;
  }

  /** The elements that it leads to. */
  of(resource: Resource): PatchNode[] {
    return this.walk(resource, this.steps);
  }

  /** What the last step names, within what comes before it; null where that is no name, or leads to more or less than one place. */
  lastOf(resource: Resource): { readonly parent: PatchNode; readonly name: string } | null {
    const last = this.steps.at(-1)!;
    if (last.kind !== 'name' || this.steps.length < 2) return null;
    const [parent, another] = this.walk(resource, this.steps.slice(0, -1));
    return parent === undefined || another !== undefined ? null : { parent, name: last.name };
  }

  private walk(resource: Resource, steps: readonly Step[]): PatchNode[] {
    const [root, ...more] = steps;
    if (root?.kind !== 'name' || ![resource.resourceType, 'Resource', 'DomainResource'].includes(root.name)) return [];
    let nodes: PatchNode[] = [{ type: resource.resourceType, value: resource, holder: null }];
    for (const step of more) nodes = advance(nodes, step);
    return nodes;
  }
}

/** The element of an object by its name in FHIRPath; of a choice (`value[x]`) the one that is there, or the one of `suffix`. null: there is no such element. */
export function elementOf({ type, value }: PatchNode, name: string, suffix?: string): PatchElement | null {
  const elements = tryGetDataType(type)?.elements ?? {};
  const plain = own(elements, name);
  if (plain !== undefined) return { key: name, type: plain.type[0]!.code, isList: plain.isArray === true };
  const choice = own(elements, `${name}[x]`);
  if (choice === undefined) return null;
  const keys = choice.type.map(({ code }) => ({ key: `${name}${capital(code)}`, type: code, isList: false }));
  return (
    keys.find(({ key }) => (suffix === undefined ? Object.hasOwn(value as object, key) : key === `${name}${suffix}`)) ??
    null
  );
}

function own(
  elements: Readonly<Record<string, InternalSchemaElement>>,
  name: string,
): InternalSchemaElement | undefined {
  return Object.hasOwn(elements, name) ? elements[name] : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  // Only the first name stands without a full stop.
  return match !== null && pattern === NAME && at > 0 && !match[0].startsWith('.') ? null : match;
}

function stepOf([whole, first, inner]: RegExpExecArray): Step[] | null {
  if (whole.startsWith('[')) return [{ kind: 'index', index: Number(first) }];
  if (inner === undefined) return [{ kind: 'name', name: first! }];
  if ((first === 'first' || first === 'last') && inner === '') return [{ kind: 'end', of: first }];
  if ((first === 'ofType' || first === 'as') && /^\w+$/.test(inner)) return [{ kind: 'type', type: inner }];
  const tests = first === 'where' ? inner.split(AND).map(testOf) : [];
  if (tests.length > 0 && tests.every((test) => test !== null)) return [{ kind: 'where', tests }];
  const url = first === 'extension' ? /^'((?:[^'\\]|\\.)*)'$/.exec(inner)?.[1] : undefined;
  if (url === undefined) return null;
  const test = { path: ['url'], equal: true, literal: unescaped(url) };
  return [
    { kind: 'name', name: 'extension' },
    { kind: 'where', tests: [test] },
  ];
}

function testOf(text: string): Test | null {
  const [, path, sign, quoted, plain] = TEST.exec(text) ?? [];
  if (path === undefined) return null;
  const literal = quoted === undefined ? (JSON.parse(plain!) as unknown) : unescaped(quoted);
  return { path: path === '$this' ? [] : path.split('.'), equal: sign === '=', literal };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function advance(nodes: readonly PatchNode[], step: Step): PatchNode[] {
  switch (step.kind) {
    case 'name':
      return nodes.flatMap((node) => childrenOf(node, step.name));
    case 'index':
      return nodes.slice(step.index, step.index + 1);
    case 'end':
      return step.of === 'first' ? nodes.slice(0, 1) : nodes.slice(-1);
    case 'type':
      return nodes.filter(({ type }) => type === step.type);
    case 'where':
      return nodes.filter((node) => step.tests.every((test) => holds(node, test)));
  }
}

function childrenOf(node: PatchNode, name: string): PatchNode[] {
  const { value } = node;
  if (typeof value !== 'object' || value === null) return [];
  const element = elementOf(node, name);
  const object = value as Record<string, unknown>;
  if (element === null || !Object.hasOwn(object, element.key)) return [];
  const { key, type } = element;
  const held = object[key];
  return Array.isArray(held)
    ? held.map((one: unknown, index) => ({ type, value: one, holder: { object, key, index } }))
    : [{ type, value: held, holder: { object, key, index: null } }];
}

/** As FHIRPath's `=`: of several values it is not true. */
function holds(node: PatchNode, { path, equal, literal }: Test): boolean {
  let nodes: PatchNode[] = [node];
  for (const name of path) nodes = nodes.flatMap((one) => childrenOf(one, name));
  const [found, another] = nodes;
  return found !== undefined && another === undefined && (found.value === literal) === equal;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
