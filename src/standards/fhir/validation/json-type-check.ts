import { tryGetDataType } from '../definitions/medplum-core.js';
import { typedMembers } from './typed-members.js';
import { error, type ResourceIssue } from './resource-issue.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * Checks that objects, texts and numbers are where they belong. Medplum's validator takes an object with an id or extensions for
 * a primitive without a value, where R4 puts those under `_name`; passes over a number in place of some objects; and lets a
 * `resourceType` stand in any object. Code behind the validator relies on the types of elements.
 * The types of the resources within are known to Medplum by then. Unknown elements are left to it.
 */
export function checkJsonTypes(value: Members, type: string, path: string): ResourceIssue[] {
  const schema = tryGetDataType(type);
  if (schema === undefined) return [];
  const members = typedMembers(schema);
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'resourceType')
      return schema.kind === 'resource' ? [] : [error('structure', `${path}.${key}`, 'Unknown element.')];
    const held = key.startsWith('_') ? 'Element' : members.get(key)?.type;
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
