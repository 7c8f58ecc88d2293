import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import { spelledSystem } from './authority-forms.js';
import type { AuthorityRepository, SharedNumber } from './authority.repository.js';

/** Joins two records of patients, as a merge by their numbers does. */
export abstract class PatientJoins {
  /**
   * Joins them with a row in the audit trail, unless birth date or given names speak against it; `isConfirmed`: a person has said that they are
   * one. False: they are perhaps two people, and nothing was done.
   */
  abstract join(tenant: Tenant, pair: SharedNumber, by: JoinActor, isConfirmed?: boolean): Promise<boolean>;
  /** Whether nothing that is known speaks against their being one. */
  abstract areAlike(transaction: TenantTransaction, pair: SharedNumber): Promise<boolean>;
}

/** Who joined them: an operator, or the messages that stated both forms. */
export interface JoinActor {
  readonly name: string;
  readonly door: 'admin' | 'cli' | 'hl7v2' | 'fhir' | 'rest';
}

/** Numbers that different records have, looked at together. */
const PAGE = 100;

/** Makes several systems one: the numbers that are kept by them, and the records that have one number by two of them. */
export class JoinedAuthorities {
  constructor(
    private readonly authorities: AuthorityRepository,
    private readonly joins: PatientJoins,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Joins the records first, each in a transaction of its own, then writes the forms with `write` and keeps all numbers by `system`. `apart`: called
   * for two records that are perhaps two people’s; they stay as they are, each found by its own id, the number leads to the surviving one.
   */
  async join(
    tenant: Tenant,
    { system, others, by }: { readonly system: string; readonly others: readonly string[]; readonly by: JoinActor },
    write: (transaction: TenantTransaction) => Promise<void>,
    apart: (transaction: TenantTransaction, pair: SharedNumber) => Promise<void>,
  ): Promise<void> {
    const aliases = [...new Set(others.map(spelledSystem))].filter((one) => one !== system);
    const separate: SharedNumber[] = [];
    for (;;) {
      const shared = await this.unitOfWork.inTenant(tenant, (transaction) =>
        this.authorities.sharedNumbers(transaction, system, aliases, separate, PAGE),
      );
      for (const pair of shared) if (!(await this.joins.join(tenant, pair, by))) separate.push(pair);
      if (shared.length > 0) continue;
      const isDone = await this.unitOfWork.inTenant(tenant, async (transaction) => {
        await this.authorities.lock(transaction, tenant.organizationId);
        if (aliases.length > 0) await this.authorities.holdNumbers(transaction);
        const late = await this.authorities.sharedNumbers(transaction, system, aliases, separate, 1);
        if (late.length > 0) return false;
        await write(transaction);
        for (const pair of separate) await apart(transaction, pair);
        if (aliases.length > 0) await this.authorities.rekey(transaction, system, aliases);
        await this.authorities.tell(transaction, tenant.organizationId);
        return true;
      });
      if (isDone) return;
    }
  }
}
