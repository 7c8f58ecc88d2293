import type { SearchParameter } from '@medplum/fhirtypes';
import { COMMON_PARAMETERS, SEARCHED_TYPES, typeParameters } from '../../types/type-parameters.js';
import { readSearchDefinitions } from './search-definitions.js';

export type ParameterType = 'token' | 'reference' | 'date' | 'quantity' | 'number' | 'string' | 'uri' | 'composite';

/** A search parameter of a type, as the CapabilityStatement names it. */
interface SearchParameterInfo {
  readonly name: string;
  readonly type: ParameterType;
  /** Canonical URL of its SearchParameter. */
  readonly definition: string;
  readonly documentation?: string;
}

/** Parameters that sort (`-` in front reverses), besides dates. */
const SORTED_TOKENS = ['status'];
const SORTED_TEXTS = ['name', 'family', 'given'];

let definitions: ReadonlyMap<string, SearchParameter> | undefined;

/** The SearchParameter resource itself; undefined where the type does not offer it. */
export function definitionOf(type: string, name: string): SearchParameter | undefined {
  definitions ??= readSearchDefinitions();
  return definitions.get(`${type}.${name}`);
}

/** The search parameters of a type; empty for a type that is not searched here. */
export function parametersOf(type: string): SearchParameterInfo[] {
  const names = typeParameters(type)?.names;
  if (names === undefined) return [];
  return [...COMMON_PARAMETERS, ...names].map((name) => {
    const { url, type: kind, description } = definitionOf(type, name)!;
    const documentation = documentationOf(description, type);
    return {
      name,
      type: kind as ParameterType,
      definition: url!,
      ...(documentation === undefined ? {} : { documentation }),
    };
  });
}

/** `Type:parameter`, as `_include` takes them. */
export function includesOf(type: string): string[] {
  return parametersOf(type)
    .filter((parameter) => parameter.type === 'reference')
    .map(({ name }) => `${type}:${name}`);
}

/** `OtherType:parameter`, as `_revinclude` takes them: what can refer to this type. */
export function revIncludesOf(type: string): string[] {
  return SEARCHED_TYPES.flatMap((other) =>
    includesOf(other).filter((include) => targetTypesOf(other, include.slice(other.length + 1)).includes(type)),
  );
}

/** Names that `_sort` takes. Reports are numbered by their photos, so `sequence` sorts by date (the stored sequence is the one at the time of writing). */
export function sortsOf(type: string): string[] {
  const names = parametersOf(type).filter(
    ({ name, type: kind }) =>
      kind === 'date' ||
      name === '_id' ||
      name === 'sequence' ||
      SORTED_TOKENS.includes(name) ||
      SORTED_TEXTS.includes(name),
  );
  return names.map(({ name }) => name);
}

/** Types that a reference parameter can point at: R4's list, and Patient alone for `patient`. */
export function targetTypesOf(type: string, name: string): readonly string[] {
  const definition = definitionOf(type, name);
  if (definition?.type !== 'reference') return [];
  return name === 'patient' ? ['Patient'] : (definition.target ?? []);
}

/** HL7 describes a shared parameter for all its types at once: `[Observation](observation.html): …`. */
function documentationOf(description: string | undefined, type: string): string | undefined {
  const line = description?.split('\n').find((each) => each.includes(`[${type}]`)) ?? description?.split('\n')[0];
  return line?.replace(/^\*?\s*\[\w+\]\([^)]*\):\s*/, '').trim() || undefined;
}
