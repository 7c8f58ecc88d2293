import type { CodeSystem, CodeSystemConcept, ValueSet, ValueSetComposeInclude } from '@medplum/fhirtypes';
import type { DefinitionFile } from './definition-file.js';

/** A code as it stands in a resource; an element of type code gives no system. */
export interface ValueSetCode {
  readonly system?: string;
  readonly code?: string;
}

/** Codes by system; null where the system's codes are not listed in R4 (MIME types, currencies). */
type Expansion = ReadonlyMap<string, ReadonlySet<string> | null>;

const MIME_TYPES = 'urn:ietf:bcp:13';
/** FHIR's own short names stand among the MIME types in CapabilityStatement.format. */
const MIME_TYPE = /^(json|xml|ttl)$|^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w.+-]+=("[^"]*"|[\w.+-]+))*$/;

/** The value sets of R4 that are bound as required, each expanded when it is first asked for. */
export class RequiredValueSets {
  private file: DefinitionFile | undefined;
  private readonly expansions = new Map<string, Expansion | null>();

  constructor(private readonly open: () => DefinitionFile) {}

  /** True where a code is in a value set, and where that cannot be decided offline. */
  allows(valueSet: string, { system, code }: ValueSetCode): boolean {
    if (code === undefined) return false;
    const expansion = this.expand(valueSet.split('|')[0]!);
    if (expansion === null) return true;
    if (system !== undefined) return expansion.has(system) && isIn(expansion.get(system)!, system, code);
    return [...expansion].some(([each, codes]) => isIn(codes, each, code));
  }

  private expand(url: string): Expansion | null {
    const known = this.expansions.get(url);
    if (known !== undefined) return known;
    this.file ??= this.open();
    const valueSet = this.file.read<ValueSet>(url);
    const includes = valueSet?.compose?.include ?? [];
    // None of R4's required value sets filters or imports; one that does would have to be expanded by a terminology server.
    const listed =
      includes.length > 0 &&
      includes.every(({ filter, valueSet: imported }) => filter === undefined && imported === undefined);
    const expansion = listed ? new Map(includes.map((include) => [include.system!, this.codesOf(include)])) : null;
    this.expansions.set(url, expansion);
    return expansion;
  }

  private codesOf({ system, concept }: ValueSetComposeInclude): ReadonlySet<string> | null {
    if (concept !== undefined) return new Set(concept.map(({ code }) => code!));
    const codeSystem = this.file!.read<CodeSystem>(system!);
    return codeSystem?.content === 'complete' ? new Set(flatten(codeSystem.concept ?? [])) : null;
  }
}

function isIn(codes: ReadonlySet<string> | null, system: string, code: string): boolean {
  if (codes !== null) return codes.has(code);
  return system !== MIME_TYPES || MIME_TYPE.test(code);
}

function flatten(concepts: readonly CodeSystemConcept[]): string[] {
  return concepts.flatMap(({ code, concept }) => [code!, ...flatten(concept ?? [])]);
}
