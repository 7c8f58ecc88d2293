import type { Members } from '../check.js';

/** The resources that one contains. */
export function containedBy(resource: unknown): readonly Members[] {
  const { contained } = resource as Members;
  return Array.isArray(contained) ? (contained as (Members | null)[]).filter((one) => one !== null) : [];
}

export function idsWithin(resource: unknown): unknown[] {
  return containedBy(resource).map(({ id }) => id);
}

/** True where something outside of a contained resource refers to it, or it refers to its container (dom-3). */
export function isReferredTo(contained: Members, container: Members): boolean {
  return hasReference(container, `#${String(contained['id'])}`, contained) || hasReference(contained, '#', undefined);
}

/** A text of a string type is no reference, whatever it looks like. */
function hasReference(value: unknown, reference: string, except: unknown, name = ''): boolean {
  if (value === except) return false;
  if (typeof value === 'string')
    return value === reference && !/^_?value(String|Markdown|Code|Id)$|^(text|display|value)$/.test(name);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((each) => hasReference(each, reference, except, name));
  return Object.entries(value).some(([key, each]) => hasReference(each, reference, except, key));
}
