import { CODE_FORMS } from './code-forms.js';
import type { ListedCodes } from './definition-folder.js';

/** A code as it stands in a resource; an element of type code gives no system. */
export interface ValueSetCode {
  readonly system?: string;
  readonly code?: string;
}

type Expansion = ReadonlyMap<string, ReadonlySet<string> | null>;

/** The value sets of R4 that are bound as required, each made a set when it is first asked for. */
export class RequiredValueSets {
  private listed: Readonly<Record<string, ListedCodes | null>> | undefined;
  private readonly expansions = new Map<string, Expansion | null>();

  constructor(private readonly read: () => Readonly<Record<string, ListedCodes | null>>) {}

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
    this.listed ??= this.read();
    const listed = this.listed[url] ?? null;
    const expansion =
      listed === null
        ? null
        : new Map(Object.entries(listed).map(([system, codes]) => [system, codes === null ? null : new Set(codes)]));
    this.expansions.set(url, expansion);
    return expansion;
  }
}

function isIn(codes: ReadonlySet<string> | null, system: string, code: string): boolean {
  return codes === null ? (CODE_FORMS.get(system)?.(code) ?? true) : codes.has(code);
}
