/** A JSON object of which nothing is known yet. */
export interface Fields {
  readonly [name: string]: unknown;
}

/** A FHIR resource as it came over the wire. */
export interface Resource extends Fields {
  readonly resourceType: string;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isResource(value: unknown): value is Resource {
  return isFields(value) && typeof value['resourceType'] === 'string';
}

/** What stands at a path of names and places; undefined where the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (Array.isArray(here) && typeof step === 'number') here = here[step];
    else if (isFields(here)) here = here[step];
    else return undefined;
  }
  return here;
}

/** The text at a path; undefined where there is none, or something else than text. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The list at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export interface Token {
  readonly system: string | undefined;
  readonly code: string | undefined;
}

/** The codings of a CodeableConcept, or of a list of them. */
export function codingsOf(concept: unknown): readonly Token[] {
  const concepts = Array.isArray(concept) ? concept : [concept];
  return concepts.flatMap((one) =>
    listAt(one, 'coding').map((coding) => ({ system: textAt(coding, 'system'), code: textAt(coding, 'code') })),
  );
}

/** Business identifiers of a resource, that of a whole document (`masterIdentifier`) included. */
export function identifiersOf(resource: Resource): readonly { readonly system: string; readonly value: string }[] {
  const stated = resource['identifier'];
  const all = [...(Array.isArray(stated) ? stated : [stated]), resource['masterIdentifier']];
  return all.flatMap((one) => {
    const value = textAt(one, 'value');
    return value === undefined ? [] : [{ system: textAt(one, 'system') ?? '', value }];
  });
}

/** Each `reference` in a resource with the path at which it stands; those of contained resources too. */
export function* referencesIn(
  value: unknown,
  path = '',
): Generator<{ readonly path: string; readonly reference: string }> {
  if (Array.isArray(value)) {
    for (const one of value) yield* referencesIn(one, path);
    return;
  }
  if (!isFields(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'reference' && typeof inner === 'string') yield { path, reference: inner };
    else yield* referencesIn(inner, path === '' ? name : `${path}.${name}`);
  }
}
