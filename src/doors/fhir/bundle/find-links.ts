import type { Resource } from '@medplum/fhirtypes';
import { elementsOf } from '../../../standards/fhir/types/elements.js';
import { linkPlacesOf, type ElementLinks, type LinkKind } from './link-places.js';

/** A place in a resource whose value may name another entry of the Bundle. */
export interface FoundLink {
  readonly kind: LinkKind;
  /** FHIRPath of the element, such as `Media.subject.reference`. */
  readonly expression: string;
  /** The types that a Reference may point at; empty: any. */
  readonly targets: readonly string[];
  /** The value as it stands now: once a link is rewritten, the new one. */
  value: string;
  /** Removes the address of a Reference and names the type of its target; display and identifier stay. */
  detach(type: string): void;
}

type Held = Record<string, unknown>;

/**
 * Every link of a resource that validation has accepted: where R4 says Reference, uri, url, oid, uuid or narrative (standards 3.4).
 * Setting `value` changes the resource itself.
 */
export function findLinks(resource: Resource): FoundLink[] {
  const found: FoundLink[] = [];
  within(elementsOf(resource), resource.resourceType, resource.resourceType, found);
  return found;
}

function within(holder: Held, type: string, path: string, found: FoundLink[]): void {
  const places = linkPlacesOf(type);
  for (const key of Object.keys(holder)) {
    const place = places.get(key);
    if (place === undefined) continue;
    const value = holder[key];
    const at = `${path}.${place.name}`;
    if (Array.isArray(value))
      value.forEach((_, index) => look(elementsOf(value), String(index), place, `${at}[${index}]`, found));
    else look(holder, key, place, at, found);
  }
}

function look(holder: Held, key: string, place: ElementLinks, path: string, found: FoundLink[]): void {
  const value = holder[key];
  if (typeof value === 'string' && (place.kind === 'url' || place.kind === 'uri' || place.kind === 'narrative'))
    found.push(new HeldLink(holder, key, place.kind, path, []));
  if (typeof value !== 'object' || value === null) return;
  const inner = value as Held;
  if (place.kind === 'resource') {
    if (typeof inner['resourceType'] === 'string') within(inner, inner['resourceType'], path, found);
    return;
  }
  if (place.kind === 'reference' && typeof inner['reference'] === 'string')
    found.push(new HeldLink(inner, 'reference', 'reference', `${path}.reference`, place.targets));
  within(inner, place.type, path, found);
}

class HeldLink implements FoundLink {
  constructor(
    private readonly holder: Held,
    private readonly key: string,
    readonly kind: LinkKind,
    readonly expression: string,
    readonly targets: readonly string[],
  ) {}

  get value(): string {
    return (this.holder[this.key] ?? '') as string;
  }

  set value(value: string) {
    if (this.key in this.holder) this.holder[this.key] = value;
  }

  detach(type: string): void {
    if (this.kind !== 'reference') return;
    delete this.holder[this.key];
    this.holder['type'] ??= type;
  }
}
