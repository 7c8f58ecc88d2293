import { coreTypeOf } from '../../../standards/fhir/validation/reference-target.js';
import { tryGetDataType, type InternalTypeSchema } from '../../../standards/fhir/definitions/medplum-core.js';

/** The forms in which an element holds a link: a Reference, a `url`, a `uri` (or `oid`, `uuid`), or narrative. Canonicals are no links. */
export type LinkKind = 'reference' | 'url' | 'uri' | 'narrative';

export interface ElementLinks {
  /** Name in FHIRPath: of `valueReference` it is `value`. */
  readonly name: string;
  readonly kind: LinkKind | 'elements' | 'resource';
  /** The type of the elements within; '' for what has none. */
  readonly type: string;
  /** The types that a Reference may point at; empty: any. */
  readonly targets: readonly string[];
}

const URIS = new Set(['uri', 'oid', 'uuid']);
/** Their uri is the name of a definition, and no link. */
const DEFINITION_URLS = new Set(['Extension.url']);
const PRIMITIVE = /^[a-z]/;

const known = new Map<string, ReadonlyMap<string, ElementLinks>>();

/** The elements of a type that may hold links, by JSON key. The type is one that validation has read. */
export function linkPlacesOf(type: string): ReadonlyMap<string, ElementLinks> {
  const found = known.get(type) ?? placesOf(type, tryGetDataType(type));
  known.set(type, found);
  return found;
}

function placesOf(type: string, schema: InternalTypeSchema | undefined): ReadonlyMap<string, ElementLinks> {
  const places = new Map<string, ElementLinks>();
  for (const [element, { type: types }] of Object.entries(schema?.elements ?? {})) {
    if (DEFINITION_URLS.has(`${type}.${element}`)) continue;
    const isChoice = element.endsWith('[x]');
    const name = isChoice ? element.slice(0, -3) : element;
    for (const { code, targetProfile } of types) {
      const key = isChoice ? `${name}${code.charAt(0).toUpperCase()}${code.slice(1)}` : name;
      const place = placeOf(name, code, targetProfile ?? []);
      if (place !== null) places.set(key, place);
      // Extensions of a primitive stand beside it.
      if (PRIMITIVE.test(code)) places.set(`_${key}`, { name, kind: 'elements', type: 'Element', targets: [] });
    }
  }
  return places;
}

function placeOf(name: string, code: string, targetProfiles: readonly string[]): ElementLinks | null {
  if (code === 'Reference')
    return {
      name,
      kind: 'reference',
      type: code,
      targets: targetProfiles.flatMap((profile) => coreTypeOf(profile) ?? []).filter((type) => type !== 'Resource'),
    };
  if (code === 'xhtml') return { name, kind: 'narrative', type: '', targets: [] };
  if (code === 'url' || URIS.has(code)) return { name, kind: code === 'url' ? 'url' : 'uri', type: '', targets: [] };
  if (code === 'Resource') return { name, kind: 'resource', type: '', targets: [] };
  return PRIMITIVE.test(code) ? null : { name, kind: 'elements', type: code, targets: [] };
}
