import type { Bundle } from '@medplum/fhirtypes';
import type { Members, Walk } from '../check.js';

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

const entries = new WeakMap<object, ReadonlyMap<unknown, unknown>>();

/** The type of resource that a reference is to, where that is contained, or in the same Bundle; undefined where it is not. */
export function typeWithin(reference: string, { root, resource, whole }: Walk): unknown {
  if (reference === '#') return resource === root ? undefined : root.resourceType;
  if (reference.startsWith('#')) return containedBy(root).find(({ id }) => id === reference.slice(1))?.['resourceType'];
  return whole.resourceType === 'Bundle' ? entriesOf(whole).get(reference) : undefined;
}

/** Types by the fullUrl of their entries. */
function entriesOf(bundle: Bundle): ReadonlyMap<unknown, unknown> {
  const known = entries.get(bundle);
  if (known !== undefined) return known;
  const list = Array.isArray(bundle.entry) ? bundle.entry : [];
  const made = new Map(
    list.map(({ fullUrl, resource }): [unknown, unknown] => [fullUrl, resource?.resourceType]).filter(([url]) => url),
  );
  entries.set(bundle, made);
  return made;
}
