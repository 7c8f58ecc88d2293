import type { InternalSchemaElement, InternalTypeSchema } from '../definitions/medplum-core.js';

/** What a key of an object in JSON holds: `valueQuantity` is the Quantity among the choices of `value[x]`. */
export interface TypedMember {
  /** The element's name without `[x]`. */
  readonly name: string;
  readonly type: string;
  readonly element: InternalSchemaElement;
}

const known = new WeakMap<InternalTypeSchema, ReadonlyMap<string, TypedMember>>();

/** The keys that an object of a type may have in JSON, those of extensions of primitive values apart. */
export function typedMembers(schema: InternalTypeSchema): ReadonlyMap<string, TypedMember> {
  const made = known.get(schema) ?? new Map(Object.entries(schema.elements).flatMap(membersOf));
  known.set(schema, made);
  return made;
}

function membersOf([name, element]: [string, InternalSchemaElement]): [string, TypedMember][] {
  if (!name.endsWith('[x]')) return [[name, { name, type: element.type[0]?.code ?? '', element }]];
  const base = name.slice(0, -3);
  return element.type.map(({ code }) => [
    `${base}${code[0]!.toUpperCase()}${code.slice(1)}`,
    { name: base, type: code, element },
  ]);
}
