import type { Need } from '../dialects/filing.js';
import { listOf } from './fhir-answer.js';

/** What a server says that it can do, as far as results need it. */
export interface Capability {
  readonly fhirVersion: string | null;
  readonly hasTransactions: boolean;
  /** By type: the interactions, and `conditional-create`. */
  readonly types: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads a CapabilityStatement; null: it is none. Pure. */
export function toCapability(statement: unknown): Capability | null {
  const { resourceType, fhirVersion, rest } = (statement ?? {}) as Readonly<Record<string, unknown>>;
  if (resourceType !== 'CapabilityStatement') return null;
  const server = listOf(rest).find((one) => (one as { readonly mode?: unknown }).mode === 'server') ?? {};
  const { interaction, resource } = server as { readonly interaction?: unknown; readonly resource?: unknown };
  return {
    fhirVersion: typeof fhirVersion === 'string' ? fhirVersion : null,
    hasTransactions: codesIn(interaction).has('transaction'),
    types: new Map(
      listOf(resource).map((one) => {
        const { type, conditionalCreate, ...rest_ } = one as Readonly<Record<string, unknown>>;
        const codes = codesIn(rest_['interaction']);
        return [String(type), new Set([...codes, ...(conditionalCreate === true ? ['conditional-create'] : [])])];
      }),
    ),
  };
}

/** Whether a repeated create of the type is harmless by `If-None-Exist`. */
export function createsOnce({ types }: Capability, type: string): boolean {
  return types.get(type)?.has('conditional-create') === true;
}

/** What the server does not say that it can do, of what is needed, in sentences; empty: nothing. */
export function lacksOf(capability: Capability, needs: readonly Need[]): readonly string[] {
  const isR4 = capability.fhirVersion?.startsWith('4.0') === true;
  return [
    ...(isR4 ? [] : [`It serves FHIR ${capability.fhirVersion ?? 'of an unstated release'}: results are of R4 (4.0).`]),
    ...needs.filter((need) => !hasNeed(capability, need)).map(wordsOf),
  ];
}

function hasNeed({ hasTransactions, types }: Capability, { type, interaction }: Need): boolean {
  return type === undefined ? hasTransactions : types.get(type)?.has(interaction) === true;
}

const WORDS: Readonly<Record<Need['interaction'], string>> = {
  create: 'create',
  update: 'change',
  'search-type': 'search',
  transaction: 'run',
  'conditional-create': 'create once by If-None-Exist',
};

function wordsOf({ type, interaction }: Need): string {
  return `It does not say that it can ${WORDS[interaction]} ${type ?? 'transactions'}.`;
}

function codesIn(interactions: unknown): ReadonlySet<string> {
  return new Set(listOf(interactions).map((one) => String((one as { readonly code?: unknown }).code)));
}
