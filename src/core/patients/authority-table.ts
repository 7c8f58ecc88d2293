import { facilitySystem, formKey, spelledSystem } from './authority-forms.js';
import { systemsOf, type AuthorityDoor, type AuthorityKnowledge, type NumberingState } from './authority.js';

/** Where a number without an authority came from. */
export interface BareOrigin {
  readonly listenerId?: string | undefined;
  /** MSH-4. */
  readonly facility?: string | undefined;
  readonly door: AuthorityDoor;
}

/** How two systems stand to each other. */
export type PairStanding = 'same' | 'proposed' | 'different' | 'unknown';

const ANY = '*';

/** The authorities of one tenant, as everything that reads a number asks for them. Makes no look-up. */
export class AuthorityTable {
  private readonly forms: ReadonlyMap<string, string>;
  private readonly pairs: ReadonlyMap<string, boolean>;
  private readonly numberings: ReadonlyMap<string, NumberingState>;
  private readonly sources: ReadonlySet<string>;

  constructor(private readonly known: AuthorityKnowledge) {
    this.forms = new Map(known.forms);
    this.pairs = new Map(known.proposals.map(({ one, other, isOpen }) => [pairKey(one, other), isOpen]));
    this.numberings = new Map(known.numberings.map((row) => [placeKey(row.sourceId, row.facility), row.state]));
    this.sources = new Set(known.numberings.map(({ sourceId }) => sourceId));
  }

  /** One text for all systems that mean one authority; '' stays ''. */
  canonical(system: string): string {
    return this.forms.get(formKey(system)) ?? spelledSystem(system);
  }

  /** The system by which its authority’s numbers are kept; as it is where the table has no such form. */
  preferred(system: string): string {
    return this.forms.get(formKey(system)) ?? system;
  }

  isSame(one: string, other: string): boolean {
    return one === other || this.canonical(one) === this.canonical(other);
  }

  knows(system: string): boolean {
    return this.forms.has(formKey(system));
  }

  standing(one: string, other: string): PairStanding {
    if (this.isSame(one, other)) return 'same';
    const isOpen = this.pairs.get(pairKey(one, other));
    return isOpen === undefined ? 'unknown' : isOpen ? 'proposed' : 'different';
  }

  /** Every system by which numbers of the same authority may have been stated, this one first. */
  spellings(system: string): string[] {
    if (!this.knows(system)) return [system];
    const canonical = this.canonical(system);
    const own = this.known.authorities.filter((authority) => authority.system === canonical).flatMap(systemsOf);
    return [...new Set([system, spelledSystem(system), canonical, ...own])];
  }

  /** The system of numbers from there that name no authority; undefined: the table says nothing of them. */
  defaultFor({ listenerId, facility, door }: BareOrigin): string | undefined {
    const is = (wanted: string): string | undefined =>
      this.known.authorities.find(({ isDefaultFor }) => isDefaultFor.includes(wanted))?.system;
    const named = facility === undefined || facility === '' ? undefined : facility;
    const ofFacility =
      named === undefined
        ? undefined
        : (this.known.authorities.find(({ facilities }) => facilities.includes(named))?.system ??
          is(`facility:${named}`));
    return ofFacility ?? (listenerId === undefined ? undefined : is(`listener:${listenerId}`)) ?? is(`door:${door}`);
  }

  /** The numbers with an authority each, where the table says whose numbers from there are that name none. */
  assigned<T extends { readonly system: string }>(numbers: readonly T[], origin: BareOrigin): readonly T[] {
    const system = this.defaultFor(origin);
    return system === undefined ? numbers : numbers.map((one) => (one.system === '' ? { ...one, system } : one));
  }

  /** Pairs of numbers of one person with one value whose systems are not known to be one, though one of them is of the table. */
  together<T extends { readonly system: string; readonly value: string }>(numbers: readonly T[]): (readonly [T, T])[] {
    return numbers.flatMap((one, at) =>
      numbers
        .slice(at + 1)
        .filter(
          (other) =>
            other.value === one.value &&
            one.system !== '' &&
            other.system !== '' &&
            (this.knows(one.system) || this.knows(other.system)) &&
            !this.isSame(one.system, other.system),
        )
        .map((other) => [one, other] as const),
    );
  }

  /** null: no bare number of the facility has come by the listener. */
  numbering(sourceId: string, facility: string): NumberingState | null {
    return this.numberings.get(placeKey(sourceId, facility)) ?? this.numberings.get(placeKey(sourceId, ANY)) ?? null;
  }

  /** Whether bare numbers of another facility have come by the listener. */
  hasNumberings(sourceId: string): boolean {
    return this.sources.has(sourceId);
  }
}

/** Nothing is known. */
export const NO_AUTHORITIES = new AuthorityTable({ authorities: [], forms: [], proposals: [], numberings: [] });

/** The system of bare numbers in this state. */
export function systemOfNumbering(state: NumberingState, facility: string): string {
  return state === 'first' || state === 'shared' ? '' : facilitySystem(facility);
}

function pairKey(one: string, other: string): string {
  return JSON.stringify([formKey(one), formKey(other)].sort());
}

function placeKey(sourceId: string, facility: string): string {
  return `${sourceId} ${facility}`;
}

/** The table of each tenant, remembered by each process and forgotten as soon as it changes. */
export abstract class AuthorityDirectory {
  abstract of(tenant: {
    readonly organizationId: string;
    readonly environment: 'test' | 'live';
  }): Promise<AuthorityTable>;
}
