import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import { ENVIRONMENTS, type Environment, type Tenant } from '../tenancy/tenant.js';
import { formKey, spelledSystem } from './authority-forms.js';
import { systemsOf, type Authority, type AuthorityForms, type AuthorityProposal } from './authority.js';
import type { AuthorityRepository, SharedNumber } from './authority.repository.js';
import type { JoinActor, JoinedAuthorities } from './joined-authorities.js';

export interface AuthoritiesPorts {
  readonly authorities: AuthorityRepository;
  readonly unitOfWork: UnitOfWork;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/** Where two records have one number by two forms and are perhaps two people’s: a person is asked. */
export abstract class SeparateRecords {
  abstract ask(transaction: TenantTransaction, pair: SharedNumber): Promise<void>;
}

/** What an authority is made of; what is absent stays, or is nothing. */
export type AuthorityChange = { readonly [K in keyof AuthorityForms]?: AuthorityForms[K] | undefined };

const NOTHING: AuthorityForms = {
  name: null,
  namespace: null,
  oid: null,
  uri: null,
  facilities: [],
  isDefaultFor: [],
};

/** The table of authorities, as operators keep it. */
export class AuthorityService {
  constructor(
    private readonly ports: AuthoritiesPorts,
    private readonly joined: JoinedAuthorities,
    private readonly separate: SeparateRecords,
  ) {}

  list(organizationId: string): Promise<readonly Authority[]> {
    return this.ports.unitOfWork.inSystem((transaction) => this.ports.authorities.list(transaction, organizationId));
  }

  proposals(organizationId: string): Promise<readonly AuthorityProposal[]> {
    return this.ports.unitOfWork.inSystem((transaction) =>
      this.ports.authorities.proposals(transaction, organizationId),
    );
  }

  /** `authority.taken` where one of its forms, facilities or defaults is another’s. */
  async create(organizationId: string, change: AuthorityChange, by: JoinActor): Promise<Authority> {
    const forms = { ...NOTHING, ...present(change) };
    const authority: Authority = {
      ...forms,
      id: this.ports.ids.next(),
      organizationId,
      environment: null,
      further: [],
      system: systemOf(forms),
      origin: 'operator',
      createdAt: this.ports.clock.now(),
    };
    return this.write(authority, by);
  }

  /** `authority.not_found`, `authority.taken`. Numbers that are kept by a form that goes stay with the authority. */
  async change(organizationId: string, id: string, change: AuthorityChange, by: JoinActor): Promise<Authority> {
    const before = await this.find(organizationId, id);
    return this.write({ ...before, ...present(change) }, by);
  }

  /** Its numbers stay as they are kept; what else it was called is unknown again. `authority.not_found`. */
  async remove(organizationId: string, id: string): Promise<Authority> {
    const authority = await this.find(organizationId, id);
    await this.ports.unitOfWork.inSystem(async (transaction) => {
      await this.ports.authorities.lock(transaction, organizationId);
      await this.ports.authorities.remove(transaction, authority);
      await this.ports.authorities.tell(transaction, organizationId);
    });
    return authority;
  }

  /** `same`: the two are one from now on. `different`: they are two, and nobody is asked again. `authority.not_found`. */
  async settle(
    organizationId: string,
    proposalId: string,
    answer: 'same' | 'different',
    by: JoinActor,
  ): Promise<AuthorityProposal> {
    const proposal = (await this.proposals(organizationId)).find(({ id }) => id === proposalId);
    if (proposal === undefined) throw new SuturaError('authority.not_found');
    const tenant = { organizationId, environment: proposal.environment };
    if (answer === 'same') await this.makeOne(proposal, by);
    const isSettled = await this.ports.unitOfWork.inTenant(tenant, async (transaction) => {
      const decision = { isSame: answer === 'same', by: by.name };
      const isFirst = await this.ports.authorities.settle(transaction, proposalId, decision);
      await this.ports.authorities.tell(transaction, organizationId);
      return isFirst;
    });
    if (!isSettled) throw new SuturaError('authority.not_found');
    return proposal;
  }

  private async find(organizationId: string, id: string): Promise<Authority> {
    const found = (await this.list(organizationId)).find((authority) => authority.id === id);
    if (found === undefined) throw new SuturaError('authority.not_found');
    return found;
  }

  private async makeOne({ organizationId, environment, one, other }: AuthorityProposal, by: JoinActor): Promise<void> {
    const known = (await this.list(organizationId)).filter((authority) => countsIn(authority, environment));
    const owner = (form: string): Authority | undefined =>
      known.find((authority) => systemsOf(authority).some((own) => formKey(own) === formKey(form)));
    const [first, second] = [owner(one), owner(other)];
    const base = first ?? second;
    if (base === undefined) {
      const system = spelledSystem(other);
      const fresh: Authority = {
        ...NOTHING,
        id: this.ports.ids.next(),
        organizationId,
        environment,
        further: [other, one],
        system,
        origin: 'operator',
        createdAt: this.ports.clock.now(),
      };
      await this.write(fresh, by);
      return;
    }
    const gone = first !== undefined && second !== undefined && first !== second ? second : null;
    const further = [...base.further, ...(gone === null ? [one, other] : systemsOf(gone))];
    const next = {
      ...base,
      further: [...new Set(further)],
      facilities: [...new Set([...base.facilities, ...(gone?.facilities ?? [])])],
      isDefaultFor: [...new Set([...base.isDefaultFor, ...(gone?.isDefaultFor ?? [])])],
    };
    await this.write(next, by, gone);
  }

  /** Joins what its forms had been apart, in every environment that it counts in. `instead`: another one that it replaces. */
  private async write(authority: Authority, by: JoinActor, instead: Authority | null = null): Promise<Authority> {
    const all = await this.list(authority.organizationId);
    refuseTaken(
      authority,
      all.filter(({ id }) => id !== authority.id && id !== instead?.id),
    );
    const environments = authority.environment === null ? ENVIRONMENTS : [authority.environment];
    for (const environment of environments) {
      const tenant: Tenant = { organizationId: authority.organizationId, environment };
      const keys = new Set(systemsOf(authority).map(formKey));
      const kept = await this.ports.unitOfWork.inTenant(tenant, (transaction) =>
        this.ports.authorities.keptSystems(transaction),
      );
      const others = [
        ...systemsOf(authority),
        ...kept.filter((system) => keys.has(formKey(system))),
        ...(instead === null ? [] : [instead.system]),
      ];
      await this.joined.join(
        tenant,
        { system: authority.system, others, by },
        async (transaction) => {
          if (instead !== null) await this.ports.authorities.setForms(transaction, instead.id, instead.system, []);
          await this.ports.authorities.save(transaction, authority);
          await this.ports.authorities.setForms(transaction, authority.id, authority.system, [
            ...systemsOf(authority),
            authority.system,
          ]);
        },
        (transaction, pair) => this.separate.ask(transaction, pair),
      );
    }
    if (instead !== null)
      await this.ports.unitOfWork.inSystem((transaction) => this.ports.authorities.remove(transaction, instead));
    return authority;
  }
}

function present(change: AuthorityChange): Partial<AuthorityForms> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

/** Numbers are kept by the OID where there is one. */
function systemOf(forms: AuthorityForms): string {
  const [system] = systemsOf({ ...forms, further: [] });
  if (system === undefined)
    throw new SuturaError('request.invalid', {
      errors: [{ pointer: '/namespace', detail: 'is missing: state a namespace, an oid or a uri' }],
    });
  return spelledSystem(system);
}

function countsIn({ environment }: Authority, wanted: Environment): boolean {
  return environment === null || environment === wanted;
}

/** A form, a facility or a default is one authority’s in an environment. */
function refuseTaken(authority: Authority, others: readonly Authority[]): void {
  const forms = new Set([...systemsOf(authority), authority.system].map(formKey));
  const rivals = others.filter(
    (other) =>
      other.environment === null || authority.environment === null || other.environment === authority.environment,
  );
  for (const other of rivals) {
    const form = [...systemsOf(other), other.system].find((one) => forms.has(formKey(one)));
    const place =
      form ??
      other.facilities.find((one) => authority.facilities.includes(one)) ??
      other.isDefaultFor.find((one) => authority.isDefaultFor.includes(one));
    if (place !== undefined)
      throw new SuturaError('authority.taken', {
        detail: `${place} is of the authority ${other.name ?? other.system} (${other.id}). Change that one, or settle a proposal that makes them one.`,
      });
  }
}
