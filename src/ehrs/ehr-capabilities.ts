import { z } from 'zod';

/** What an EHR's FHIR server says that it can do (CapabilityStatement), as far as anything here depends on it. */
export interface EhrCapabilities {
  readonly fhirVersion: string;
  /** Name and version for people; null: not stated. */
  readonly software: string | null;
  /** Interactions with the whole system: `transaction`, `batch`. */
  readonly interactions: readonly string[];
  readonly resources: readonly EhrResource[];
}

export interface EhrResource {
  readonly type: string;
  /** `read`, `create`, `update`, `search-type` … */
  readonly interactions: readonly string[];
  readonly conditionalCreate: boolean;
  /** Names of search parameters. */
  readonly searches: readonly string[];
}

const coded = z.array(z.looseObject({ code: z.string() })).optional();
const RESOURCE = z.looseObject({
  type: z.string(),
  interaction: coded,
  conditionalCreate: z.boolean().optional(),
  searchParam: z.array(z.looseObject({ name: z.string() })).optional(),
});
const STATEMENT = z.looseObject({
  resourceType: z.literal('CapabilityStatement'),
  fhirVersion: z.string(),
  software: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
  rest: z
    .array(z.looseObject({ mode: z.string(), interaction: coded, resource: z.array(z.unknown()).optional() }))
    .optional(),
});
/** Of another's text that people are shown. */
const MOST_LETTERS = 100;

/** null: it is no CapabilityStatement. Resources that are not written as R4 has them are left out. */
export function readCapabilities(body: unknown): EhrCapabilities | null {
  const read = STATEMENT.safeParse(body);
  if (!read.success) return null;
  const { fhirVersion, software, rest = [] } = read.data;
  const server = rest.find(({ mode }) => mode === 'server');
  return {
    fhirVersion: shown(fhirVersion),
    software: shown([software?.name, software?.version].filter((part) => part !== undefined).join(' ')) || null,
    interactions: codesOf(server?.interaction),
    resources: (server?.resource ?? []).flatMap((one) => {
      const resource = RESOURCE.safeParse(one).data;
      return resource === undefined ? [] : [toResource(resource)];
    }),
  };
}

/** The types that it creates, in their order. */
export function createdTypes({ resources }: EhrCapabilities): readonly string[] {
  return resources.filter(({ interactions }) => interactions.includes('create')).map(({ type }) => type);
}

function toResource(resource: z.output<typeof RESOURCE>): EhrResource {
  const { type, interaction, conditionalCreate = false, searchParam = [] } = resource;
  return {
    type: shown(type),
    interactions: codesOf(interaction),
    conditionalCreate,
    searches: searchParam.map(({ name }) => name),
  };
}

function codesOf(codes: readonly { readonly code: string }[] | undefined): readonly string[] {
  return (codes ?? []).map(({ code }) => code);
}

function shown(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, MOST_LETTERS)
    .trim();
}
