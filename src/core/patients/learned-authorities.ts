import type { IdSource } from '../ports/id-source.js';
import type { Clock } from '../ports/clock.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import { formKey, isOid, spelledSystem } from './authority-forms.js';
import { AuthorityTable } from './authority-table.js';
import { systemsOf, type Authority, type ProposalReason } from './authority.js';
import type { AuthorityRepository } from './authority.repository.js';
import type { JoinActor, JoinedAuthorities, PatientJoins } from './joined-authorities.js';

/** Two systems that a sender stated for one authority. */
export interface StatedPair {
  /** The namespace, as a system. */
  readonly one: string;
  readonly other: string;
  /** A sender stated a namespace and its OID in one field. Otherwise they only came together. */
  readonly isAssigned: boolean;
  /** Of numbers of orders. Where something speaks against it, they are two, and nobody is asked: one namespace often has an OID for each sort of number. */
  readonly isOfOrder?: boolean;
}

/** A facility on a listener that sends numbers without an authority. */
export interface SeenFacility {
  readonly sourceId: string;
  readonly facility: string;
}

export interface LearningPorts {
  readonly authorities: AuthorityRepository;
  readonly joins: PatientJoins;
  readonly unitOfWork: UnitOfWork;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/** Numbers of one form that are kept anew while a sender waits. */
const MOST_NUMBERS = 1000;
/** Records that are joined while a sender waits. */
const MOST_RECORDS = 20;

/** What messages teach of authorities. Each is called once for what the table does not have. */
export class LearnedAuthorities {
  constructor(
    private readonly ports: LearningPorts,
    private readonly joined: JoinedAuthorities,
  ) {}

  /** A namespace with its OID becomes one authority at once, unless something speaks against it; anything else is proposed. */
  async learnPair(tenant: Tenant, pair: StatedPair, by: JoinActor): Promise<void> {
    const found = await this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      await this.ports.authorities.lock(transaction, tenant.organizationId);
      const known = await this.ports.authorities.of(transaction);
      const authority = pair.isAssigned ? authorityFor(known, pair) : 'together';
      const wanted = typeof authority === 'string' ? authority : await this.obstacle(transaction, authority, pair);
      if (typeof wanted !== 'string') return { ...wanted, known };
      await this.ports.authorities.propose(
        transaction,
        this.ports.ids.next(),
        { ...pair, why: wanted },
        pair.isOfOrder === true,
      );
      await this.ports.authorities.tell(transaction, tenant.organizationId);
      return null;
    });
    if (found === null) return;
    const { system, others, base } = found;
    const authority = base ?? this.newAuthority(tenant, system);
    const next = { ...authority, ...formsIn(pair, authority) };
    await this.joined.join(
      tenant,
      { system, others, by },
      async (transaction) => {
        await this.ports.authorities.save(transaction, next);
        await this.ports.authorities.setForms(transaction, next.id, system, systemsOf(next));
      },
      (transaction) => this.ports.authorities.propose(transaction, this.ports.ids.next(), { ...pair, why: 'numbers' }),
    );
  }

  /** The first facility of a listener goes on with the organization’s own numbering; a further one is not settled yet. */
  async learnFacility(tenant: Tenant, { sourceId, facility }: SeenFacility): Promise<void> {
    await this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      await this.ports.authorities.lock(transaction, tenant.organizationId);
      const rows = await this.ports.authorities.numberings(transaction);
      const here = rows.filter((row) => row.sourceId === sourceId);
      if (here.some((row) => row.facility === facility || row.facility === '*')) return;
      // One facility has one numbering, by whichever listener it sends.
      const elsewhere = rows.find((row) => row.facility === facility)?.state;
      const state = elsewhere === 'first' ? 'shared' : (elsewhere ?? (here.length === 0 ? 'first' : 'unsettled'));
      await this.ports.authorities.setNumbering(transaction, { sourceId, facility, state }, null);
      await this.ports.authorities.tell(transaction, tenant.organizationId);
    });
  }

  /** What speaks against joining the two at once; else by which system their numbers are to be kept, and which others there are. */
  private async obstacle(
    transaction: TenantTransaction,
    base: Authority | null,
    { one, other, isOfOrder }: StatedPair,
  ): Promise<ProposalReason | { readonly base: Authority | null; readonly system: string; readonly others: string[] }> {
    const { authorities, joins } = this.ports;
    const kept = await authorities.keptSystems(transaction);
    const like = (form: string): string[] => [
      ...new Set([spelledSystem(form), ...kept.filter((one) => formKey(one) === formKey(form))]),
    ];
    const forms = [...like(other), ...like(one)];
    const counts = new Map<string, number>();
    for (const form of forms) counts.set(form, await authorities.countNumbers(transaction, form, MOST_NUMBERS + 1));
    // What patients are known by is learned from their own numbers alone.
    if (isOfOrder === true && [...counts.values()].some((count) => count > 0)) return 'numbers';
    const fullest = forms.reduce((best, form) => (counts.get(form)! > counts.get(best)! ? form : best));
    const system = base?.system ?? fullest;
    const others = forms.filter((form) => form !== system);
    if (others.some((form) => counts.get(form)! > MOST_NUMBERS)) return 'numbers';
    const shared = await authorities.sharedNumbers(transaction, system, others, [], MOST_RECORDS + 1);
    if (shared.length > MOST_RECORDS) return 'numbers';
    for (const pair of shared) if (!(await joins.areAlike(transaction, pair))) return 'numbers';
    return { base, system, others };
  }

  private newAuthority({ organizationId, environment }: Tenant, system: string): Authority {
    return {
      id: this.ports.ids.next(),
      organizationId,
      environment,
      name: null,
      namespace: null,
      oid: null,
      uri: null,
      facilities: [],
      isDefaultFor: [],
      further: [],
      system,
      origin: 'messages',
      createdAt: this.ports.clock.now(),
    };
  }
}

/** The authority that the pair belongs to; null: none of the table; 'disagrees': each is another one’s, or it has another of its kind. */
function authorityFor(known: readonly Authority[], { one, other }: StatedPair): Authority | null | 'disagrees' {
  const table = new AuthorityTable({
    authorities: known,
    forms: known.flatMap((authority) => systemsOf(authority).map((form) => [formKey(form), authority.system] as const)),
    proposals: [],
    numberings: [],
  });
  const [byName, byOid] = [one, other].map((form) =>
    table.knows(form) ? known.find(({ system }) => system === table.canonical(form)) : undefined,
  );
  if (byName !== undefined && byOid !== undefined) return byName === byOid ? byName : 'disagrees';
  if (byName !== undefined) return byName.oid === null ? byName : 'disagrees';
  if (byOid !== undefined) return byOid.namespace === null ? byOid : 'disagrees';
  return null;
}

function formsIn({ one, other }: StatedPair, { namespace, oid }: Authority): Pick<Authority, 'namespace' | 'oid'> {
  const said = spelledSystem(other).replace(/^urn:oid:/, '');
  return {
    namespace: namespace ?? decodeURIComponent(one.slice(one.lastIndexOf('/') + 1)),
    oid: oid ?? (isOid(said) ? said : null),
  };
}
