import type { Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { PatchBudget } from './patch-budget.js';
import { elementOf, PatchPath, type PatchElement, type PatchNode } from './patch-path.js';

type Held = Record<string, unknown>;

/** One operation of a FHIRPath Patch as it was sent. */
interface Operation {
  readonly type: string;
  readonly path: PatchPath;
  readonly name: string | undefined;
  readonly index: number | undefined;
  readonly source: number | undefined;
  readonly destination: number | undefined;
  /** The part `value`: `value[x]`, or parts that are elements. */
  readonly value: Held | undefined;
}

const OPERATION_LIMIT = 1000;
const PARTS: Readonly<Record<string, string>> = {
  type: 'valueCode',
  path: 'valueString',
  name: 'valueString',
  index: 'valueInteger',
  source: 'valueInteger',
  destination: 'valueInteger',
};
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  add: ['name', 'value'],
  insert: ['index', 'value'],
  delete: [],
  replace: ['value'],
  move: ['source', 'destination'],
};

/**
 * The resource with a FHIRPath Patch (R4 fhirpatch.html: Parameters of operations) applied to a copy of it, all of it or nothing. `fhir.patch` where it is
 * none, or does not fit the resource; `request.too_large` where it makes more than a resource holds.
 */
export function fhirPathPatched<T extends Resource>(resource: T, patch: unknown): T {
  const operations = operationsOf(patch);
  const copy = structuredClone(resource);
  const budget = new PatchBudget(copy);
  for (const [at, operation] of operations.entries()) {
    budget.spend({ op: 'add', path: '/element', value: operation.value ?? null } as never, at);
    const fault = apply(copy, operation);
    if (fault !== null) throw unfit(at, fault);
    budget.refuseTooLarge(at);
  }
  return copy;
}

function operationsOf(patch: unknown): Operation[] {
  const { resourceType, parameter } = (isObject(patch) ? patch : {}) as Held;
  const listed = Array.isArray(parameter) ? (parameter as unknown[]) : [];
  if (resourceType !== 'Parameters' || listed.length === 0 || listed.length > OPERATION_LIMIT)
    throw new SuturaError('fhir.patch', {
      detail: `A FHIRPath Patch is a Parameters resource with 1 to ${OPERATION_LIMIT} parameters "operation".`,
    });
  return listed.map((one, at) => operationOf(one, at));
}

function operationOf(parameter: unknown, at: number): Operation {
  const { name, part } = (isObject(parameter) ? parameter : {}) as Held;
  const parts = new Map<string, Held>();
  for (const one of Array.isArray(part) ? (part as unknown[]) : []) {
    const partName = isObject(one) ? one['name'] : undefined;
    if (
      typeof partName !== 'string' ||
      parts.has(partName) ||
      !(partName === 'value' || Object.hasOwn(PARTS, partName))
    )
      throw unfit(at, 'has a part that no operation has, or one twice');
    parts.set(partName, one as Held);
  }
  const stated = (of: string): unknown => parts.get(of)?.[PARTS[of]!];
  const type = stated('type') ?? parts.get('type')?.['valueString'];
  const path = PatchPath.read(typeof stated('path') === 'string' ? (stated('path') as string) : '');
  if (name !== 'operation' || typeof type !== 'string' || !Object.hasOwn(NEEDED, type))
    throw unfit(at, 'has a part "type" of add, insert, delete, replace or move');
  if (path === null)
    throw unfit(
      at,
      'has a part "path": elements with [n], first(), last(), ofType(), extension() and where() of equalities joined by "and"',
    );
  const wholes = ['index', 'source', 'destination'].map((of) => wholeOf(stated(of)));
  const [index, source, destination] = wholes;
  const given: Held = { name: stated('name'), value: parts.get('value'), index, source, destination };
  const lacking = NEEDED[type]!.find((one) => given[one] === undefined);
  if (lacking !== undefined) throw unfit(at, `has a part "${lacking}"`);
  return {
    type,
    path,
    name: given['name'] as string | undefined,
    value: parts.get('value'),
    index,
    source,
    destination,
  };
}

function wholeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** What is at fault; null: it is done. */
function apply(resource: Resource, operation: Operation): string | null {
  switch (operation.type) {
    case 'add':
      return add(resource, operation);
    case 'insert':
      return insert(resource, operation);
    case 'move':
      return move(resource, operation);
    case 'delete':
      return remove(resource, operation);
    default:
      return replace(resource, operation);
  }
}

function add(resource: Resource, { path, name, value }: Operation): string | null {
  const [parent, another] = path.of(resource);
  if (parent === undefined || another !== undefined) return 'needs a path that leads to one element';
  const element = isObject(parent.value) ? elementOf(parent, name!, suffixOf(value!)) : null;
  if (element === null) return 'names an element that its type does not have, or not with this type of value';
  const object = parent.value as Held;
  if (element.isList) {
    put(object, element, (object[element.key] as unknown[] | undefined)?.length ?? 0, value!);
    return null;
  }
  if (elementOf(parent, name!) !== null && Object.hasOwn(object, elementOf(parent, name!)!.key))
    return 'adds an element that is there already and does not repeat';
  const made = madeOf(value!, element);
  object[element.key] = made.value;
  if (made.extended !== undefined) object[`_${element.key}`] = made.extended;
  return null;
}

function insert(resource: Resource, { path, index, value }: Operation): string | null {
  const place = path.lastOf(resource);
  const element = place === null ? null : elementOf(place.parent, place.name);
  if (place === null || element?.isList !== true) return 'needs a path that leads to one list';
  const object = place.parent.value as Held;
  const list = (object[element.key] as unknown[] | undefined) ?? [];
  if (index! > list.length) return 'has an index behind the end of the list';
  put(object, element, index!, value!);
  return null;
}

function move(resource: Resource, { path, source, destination }: Operation): string | null {
  const place = path.lastOf(resource);
  const element = place === null ? null : elementOf(place.parent, place.name);
  if (place === null || element?.isList !== true) return 'needs a path that leads to one list';
  const object = place.parent.value as Held;
  const list = (object[element.key] as unknown[] | undefined) ?? [];
  if (source! >= list.length || destination! >= list.length) return 'has a place that the list does not have';
  for (const each of listsOf(object, element.key, list.length))
    each.splice(destination!, 0, ...each.splice(source!, 1));
  return null;
}

function remove(resource: Resource, { path }: Operation): string | null {
  const [node, another] = path.of(resource);
  // R4: nothing to delete is no fault.
  if (node === undefined) return null;
  if (another !== undefined) return 'deletes one element, and its path leads to several';
  if (node.holder === null) return 'deletes an element, not the resource';
  const { object, key, index } = node.holder;
  if (index === null) {
    delete object[key];
    delete object[`_${key}`];
    return null;
  }
  const list = object[key] as unknown[];
  for (const each of listsOf(object, key, list.length)) each.splice(index, 1);
  if (list.length > 0) return null;
  delete object[key];
  delete object[`_${key}`];
  return null;
}

function replace(resource: Resource, { path, value }: Operation): string | null {
  const [node, another] = path.of(resource);
  if (node === undefined || another !== undefined) return 'needs a path that leads to one element';
  if (node.holder === null) return 'replaces an element, not the resource';
  const { object, key, index } = node.holder;
  const place = path.lastOf(resource);
  const element =
    place === null || index !== null
      ? { key, type: node.type, isList: index !== null }
      : elementOf(place.parent, place.name, suffixOf(value!));
  if (element === null) return 'has a type of value that the element does not take';
  const made = madeOf(value!, element);
  if (index !== null) {
    (object[key] as unknown[])[index] = made.value;
    const extensions = object[`_${key}`];
    if (Array.isArray(extensions)) extensions[index] = made.extended ?? null;
    return null;
  }
  delete object[key];
  delete object[`_${key}`];
  object[element.key] = made.value;
  if (made.extended !== undefined) object[`_${element.key}`] = made.extended;
  return null;
}

/** Into a list, with what stands beside a primitive. */
function put(object: Held, element: PatchElement, index: number, value: Held): void {
  const { key } = element;
  const made = madeOf(value, element);
  const list = (object[key] ??= []) as unknown[];
  if (made.extended !== undefined) object[`_${key}`] ??= [];
  const [own, extensions] = listsOf(object, key, list.length);
  own!.splice(index, 0, made.value);
  extensions?.splice(index, 0, made.extended ?? null);
}

/** A list and, of primitives, that of their extensions, made as long as it. */
function listsOf(object: Held, key: string, length: number): unknown[][] {
  const extensions = object[`_${key}`];
  if (!Array.isArray(extensions)) return [object[key] as unknown[]];
  while (extensions.length < length) extensions.push(null);
  return [object[key] as unknown[], extensions];
}

/** The part `value` as JSON of the element: its `value[x]`, or its parts as elements of a type without a name. */
function madeOf(
  value: Held,
  { type }: Pick<PatchElement, 'type'>,
): { readonly value: unknown; readonly extended?: unknown } {
  const key = Object.keys(value).find((name) => name.startsWith('value'));
  const beside = Object.keys(value).find((name) => name.startsWith('_value'));
  const extended = beside === undefined ? {} : { extended: value[beside] };
  if (key !== undefined) return { value: value[key], ...extended };
  if (!Array.isArray(value['part'])) return { value: null, ...extended };
  const made: Held = {};
  const node: PatchNode = { type, value: made, holder: null };
  for (const part of value['part'] as unknown[]) {
    if (!isObject(part) || typeof part['name'] !== 'string') continue;
    const element = elementOf(node, part['name'], suffixOf(part));
    if (element === null) made[`${part['name']}?`] = null;
    else if (element.isList) put(made, element, (made[element.key] as unknown[] | undefined)?.length ?? 0, part);
    else made[element.key] = madeOf(part, element).value;
  }
  return { value: made };
}

/** `Quantity` of `valueQuantity`; undefined for parts. */
function suffixOf(value: Held): string | undefined {
  const key = Object.keys(value).find((name) => name.startsWith('value') || name.startsWith('_value'));
  return key?.replace(/^_?value/, '');
}

function isObject(value: unknown): value is Held {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unfit(at: number, fault: string): SuturaError {
  return new SuturaError('fhir.patch', {
    detail: `Operation ${at + 1} ${fault.startsWith('has a part') ? `is not right: it ${fault}` : fault}.`,
  });
}
