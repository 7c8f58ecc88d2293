import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import { mayAct, type HeldRights } from '../tenancy/roles.js';
import type { Environment, Tenant } from '../tenancy/tenant.js';
import type { EhrRegister } from './ehr.register.js';
import type { PushRules } from './push-rules.js';
import type { Ehr, EhrTerms } from './ehr.js';
import { calledAddresses, statedTerms, type StatedEhr } from './stated-ehr.js';

export interface EhrRegistryPorts {
  readonly ehrs: EhrRegister;
  readonly ids: IdSource;
  readonly clock: Clock;
  /** False for an address whose network is never called. */
  readonly addresses: { mayCall(address: string): Promise<boolean> };
  readonly pushRules: PushRules;
}

/** What an integrator may say of an EHR. Who names the issuer names the people, and where its secrets go: that is for admins. */
const OF_INTEGRATORS: readonly (keyof EhrTerms)[] = ['name', 'push'];

/** Decision 136: until the exit was tried at real EHRs, no chart of a patient depends on it. */
const TEST_ALONE =
  'results are filed in an EHR from the test environment alone in this release; register the EHR there';

/** The registrations of EHRs: what the admin API and the command line offer. */
export class EhrRegistry {
  constructor(private readonly ports: EhrRegistryPorts) {}

  /** Both environments, oldest first. */
  list(organizationId: string, environment?: Environment): Promise<Ehr[]> {
    return this.ports.ehrs.list(organizationId, environment);
  }

  /** `ehr.not_found`, also for another organization's. */
  async find(organizationId: string, ehrId: string): Promise<Ehr> {
    const ehr = await this.ports.ehrs.registered(organizationId, ehrId);
    if (ehr === null) throw new SuturaError('ehr.not_found');
    return ehr;
  }

  /**
   * `giver` undefined: the operator of the machine. `auth.role`, `request.invalid`, `ehr.address_refused`, `ehr.taken`, `ehr.too_many`. The
   * organization must exist.
   */
  async create(tenant: Tenant, stated: StatedEhr, giver?: HeldRights): Promise<Ehr> {
    requireMayState(giver, tenant.organizationId, stated);
    const terms = this.filable(statedTerms(stated), tenant.environment);
    await this.requireCallable(calledAddresses(terms));
    const now = this.ports.clock.now();
    const { organizationId, environment } = tenant;
    const ehr = { id: this.ports.ids.next(), organizationId, environment, ...terms, createdAt: now, updatedAt: now };
    await this.ports.ehrs.add(ehr);
    return ehr;
  }

  /** What is not stated stays. `auth.role`, `ehr.not_found`, `request.invalid`, `ehr.address_refused`, `ehr.taken`. */
  async change(organizationId: string, ehrId: string, stated: StatedEhr, giver?: HeldRights): Promise<Ehr> {
    requireMayState(giver, organizationId, stated);
    const present = await this.find(organizationId, ehrId);
    const known = calledAddresses(present);
    // An address that was let in stays, so that a network that is closed later bars no other change.
    await this.requireCallable(
      calledAddresses(this.filable(statedTerms(stated, present), present.environment)).filter(
        (one) => !known.includes(one),
      ),
    );
    return this.ports.ehrs.change(organizationId, ehrId, (locked) =>
      this.filable(statedTerms(stated, locked), locked.environment),
    );
  }

  /** Its launches, pushes and cards end. The registration as it was; `ehr.not_found`. */
  async remove(organizationId: string, ehrId: string): Promise<Ehr> {
    const ehr = await this.find(organizationId, ehrId);
    if (!(await this.ports.ehrs.remove(organizationId, ehrId))) throw new SuturaError('ehr.not_found');
    return ehr;
  }

  /** `request.invalid` where results are to be filed and a part of them could not be, or in live. */
  private filable(terms: EhrTerms, environment: Environment): EhrTerms {
    if (terms.push?.enabled !== true) return terms;
    const faults = this.ports.pushRules.faultsOf(terms.push).map((detail) => ({ pointer: '/push', detail }));
    if (environment === 'live') faults.push({ pointer: '/push/enabled', detail: TEST_ALONE });
    if (faults.length === 0) return terms;
    throw new SuturaError('request.invalid', { errors: faults });
  }

  private async requireCallable(addresses: readonly string[]): Promise<void> {
    for (const address of addresses)
      if (!(await this.ports.addresses.mayCall(address))) throw new SuturaError('ehr.address_refused');
  }
}

function requireMayState(giver: HeldRights | undefined, organizationId: string, stated: StatedEhr): void {
  if (giver === undefined || mayAct(giver, 'admin', organizationId)) return;
  const named = (Object.keys(stated) as (keyof EhrTerms)[]).filter((field) => stated[field] !== undefined);
  const beyond = named.filter((field) => !OF_INTEGRATORS.includes(field));
  if (beyond.length > 0)
    throw new SuturaError('auth.role', {
      detail: `An integrator changes ${OF_INTEGRATORS.join(' and ')} of an EHR; only an admin of the organization changes: ${beyond.join(', ')}.`,
    });
}
