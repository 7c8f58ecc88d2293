import type { TenantTransaction, UnitOfWork } from '../../core/ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../../core/tenancy/tenant.js';
import { BatchedCommits } from './batched-commits.js';

interface Read<Scope> {
  readonly tenant: Tenant;
  readonly work: (scope: Scope) => Promise<void>;
  readonly failed: (fault: unknown) => void;
}

/** Reads take what they take: a further transaction begins beside one that is slow, so that a long read holds up nobody. */
const LIMITS = { largest: 16, atOnce: 16, patienceMs: 20 };

/**
 * Reads of one tenant that come at the same time share a transaction, and so its beginning, its end and its connection. Each has its own answer
 * as soon as it is there. One that fails beside others is done again alone, since a fault of the database ends the transaction of all.
 */
export class SharedReads<Scope> {
  private readonly groups = new BatchedCommits<Read<Scope>, void>((group) => this.perform(group), LIMITS);

  /** `open` makes, of a transaction, what the reads of a group share. */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly open: (transaction: TenantTransaction) => Scope,
  ) {}

  /** `work` may be called twice, and changes nothing. `service.unavailable`, and what `work` throws. */
  run<T>(tenant: Tenant, work: (scope: Scope) => Promise<T>): Promise<T> {
    return new Promise((done, failed) => {
      const read = { tenant: tenantOf(tenant), work: (scope: Scope) => work(scope).then(done), failed };
      this.groups.run(`${tenant.organizationId} ${tenant.environment}`, read).catch(failed);
    });
  }

  private async perform(group: readonly Read<Scope>[]): Promise<readonly void[]> {
    const left = new Set(group);
    const failed = new Set<Read<Scope>>();
    const fault = await this.inTransaction(group[0]!.tenant, async (scope) => {
      const each = (read: Read<Scope>): Promise<void> =>
        read.work(scope).then(
          () => void left.delete(read),
          (refusal: unknown) => {
            if (group.length > 1) return void failed.add(read);
            left.delete(read);
            read.failed(refusal);
          },
        );
      await Promise.all(group.map(each));
    });
    for (const read of left)
      if (failed.has(read)) void this.alone(read);
      else read.failed(fault);
    return group.map(() => undefined);
  }

  private async alone({ tenant, work, failed }: Read<Scope>): Promise<void> {
    try {
      await this.unitOfWork.inTenant(tenant, (transaction) => work(this.open(transaction)));
    } catch (fault) {
      failed(fault);
    }
  }

  /** Reads keep nothing, so that how their transaction ends is of no interest to one that was answered. */
  private async inTransaction(tenant: Tenant, work: (scope: Scope) => Promise<void>): Promise<unknown> {
    try {
      await this.unitOfWork.inTenant(tenant, (transaction) => work(this.open(transaction)));
      return null;
    } catch (fault) {
      return fault;
    }
  }
}
