import type { Resource } from '@medplum/fhirtypes';
import { referencedType } from '../../../standards/fhir/validation/reference-target.js';

/** A literal reference in a resource and where it stands. */
export interface FoundReference {
  readonly reference: string;
  /** FHIRPath, such as `Observation.derivedFrom[0].reference`. */
  readonly expression: string;
}

type Held = Record<string, unknown>;

/** Every `Reference.reference` of a resource, those of contained resources included. */
export function referencesOf(resource: Resource): FoundReference[] {
  const found: FoundReference[] = [];
  collect(resource, resource.resourceType, found);
  return found;
}

function collect(value: unknown, expression: string, found: FoundReference[]): void {
  if (Array.isArray(value)) return value.forEach((each, index) => collect(each, `${expression}[${index}]`, found));
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'reference' && typeof inner === 'string')
      found.push({ reference: inner, expression: `${expression}.reference` });
    else if (typeof inner === 'object') collect(inner, `${expression}.${name}`, found);
  }
}

/** The resource with references into our own base made relative, and slashes too many taken out; what needs no change is not copied. */
export function withRelativeReferences<T extends Resource>(resource: T, base: string): T {
  const root = base.replace(/\/R4$/, '');
  // The longer one first: it starts with the other.
  const prefixes = [`${root}/R4/`, `${root}/`];
  const toRelative = (reference: string): string => {
    const prefix = prefixes.find((each) => reference.startsWith(each));
    return withoutSlashes(prefix === undefined ? reference : reference.slice(prefix.length));
  };
  return withReferences(resource, toRelative);
}

/** `/Patient/1/` as `Patient/1`, which it cannot but mean; any other form as it is. */
function withoutSlashes(reference: string): string {
  const bare = reference.replace(/^\/+/, '').replace(/\/+$/, '');
  return RELATIVE.test(bare) ? bare : reference;
}

/** The resource with each `Reference.reference` as `change` gives it; what needs no change is not copied. */
export function withReferences<T extends Resource>(resource: T, change: (reference: string) => string): T {
  return rewrite(resource, change) as T;
}

function rewrite(value: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((each) => rewrite(each, change));
    return items.some((each, index) => each !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  let copy: Held | null = null;
  for (const [name, inner] of Object.entries(value)) {
    const next = name === 'reference' && typeof inner === 'string' ? change(inner) : rewrite(inner, change);
    if (next !== inner) (copy ??= { ...value })[name] = next;
  }
  return copy ?? value;
}

/** From its scheme on; one of the web with its host. */
const ADDRESS = /^(?:https?:\/\/[^/\s?#]+\S*|(?!https?:)[a-z][a-z0-9+.-]*:\S+)$/i;
const RELATIVE = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9\-.]{1,64})(\/_history\/[A-Za-z0-9\-.]{1,64})?$/;

/** The target of a relative reference; null for every other form. */
export function targetOf(reference: string): { readonly type: string; readonly id: string } | null {
  const [, type, id] = RELATIVE.exec(reference) ?? [];
  return type === undefined || id === undefined ? null : { type, id };
}

/** The version that a relative reference names; null: none. */
export function versionOf(reference: string): string | null {
  return RELATIVE.exec(reference)?.[3]?.slice('/_history/'.length) ?? null;
}

/** True for the forms that R4 knows: `Type/[id]`, with a version or without, an absolute address, `#[id]`. Those of a Bundle are apart: `needsBundle`. */
export function isReference(reference: string): boolean {
  return RELATIVE.test(reference) || reference.startsWith('#') || ADDRESS.test(reference);
}

/** True for a form that only a Bundle can resolve: `urn:…` or `Type?criteria`. */
export function needsBundle(reference: string): boolean {
  return (
    reference.startsWith('urn:') ||
    (typeof referencedType(reference) === 'string' && /^[A-Z][A-Za-z]+\?/.test(reference))
  );
}
