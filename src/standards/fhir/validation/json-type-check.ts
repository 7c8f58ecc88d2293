import { tryGetDataType, type InternalTypeSchema } from '../definitions/medplum-core.js';
import { error, type ResourceIssue } from './resource-issue.js';

type Members = Readonly<Record<string, unknown>>;

/** Types by the key that stands in JSON: `valueQuantity` for the Quantity among the choices of `value[x]`. */
const keysOfSchemas = new WeakMap<InternalTypeSchema, ReadonlyMap<string, string>>();

/**
 * Checks that objects, texts and numbers are where they belong. Medplum's validator takes an object with an id or extensions for
 * a primitive without a value, where R4 puts those under `_name`; passes over a number in place of some objects; and lets a
 * `resourceType` stand in any object. Code behind the validator relies on the types of elements.
 * The types of the resources within are known to Medplum by then. Unknown elements are left to it.
 */
export function checkJsonTypes(value: Members, type: string, path: string): ResourceIssue[] {
  const schema = tryGetDataType(type);
  if (schema === undefined) return [];
  const keys = keysOf(schema);
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'resourceType')
      return schema.kind === 'resource' ? [] : [error('structure', `${path}.${key}`, 'Unknown element.')];
    const held = key.startsWith('_') ? 'Element' : keys.get(key);
    return held === undefined || held === '' ? [] : checkMember(member, held, `${path}.${key}`);
  });
}

function checkMember(member: unknown, type: string, path: string): ResourceIssue[] {
  if (Array.isArray(member))
    return member.flatMap((item: unknown, index) => checkMember(item, type, `${path}[${index}]`));
  const isPrimitive = /^[a-z]/.test(type);
  if (typeof member !== 'object' || member === null)
    return isPrimitive || member === null ? [] : [error('value', path, 'An object is expected here.')];
  if (isPrimitive) return [error('value', path, 'A single value is expected here, and no object.')];
  const { resourceType } = member as { resourceType?: unknown };
  return checkJsonTypes(
    member as Members,
    type === 'Resource' && typeof resourceType === 'string' ? resourceType : type,
    path,
  );
}

function keysOf(schema: InternalTypeSchema): ReadonlyMap<string, string> {
  const known = keysOfSchemas.get(schema);
  if (known !== undefined) return known;
  const pairs = Object.entries(schema.elements).flatMap(([name, { type }]) =>
    name.endsWith('[x]')
      ? type.map(({ code }): [string, string] => [
          `${name.slice(0, -3)}${code[0]!.toUpperCase()}${code.slice(1)}`,
          code,
        ])
      : [[name, type[0]?.code ?? ''] as [string, string]],
  );
  const keys = new Map(pairs);
  keysOfSchemas.set(schema, keys);
  return keys;
}
