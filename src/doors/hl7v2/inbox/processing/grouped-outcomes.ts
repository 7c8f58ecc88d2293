import { Injectable } from '@nestjs/common';
import { UnitOfWork, type TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import { BatchedCommits } from '../../../../platform/database/batched-commits.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import type { HeldMessage } from '../store/inbound-record.js';
import { OutcomeWriter, type Outcome, type WrittenOutcome } from './outcome-writer.js';

/** An outcome that changes no record. */
interface Asked {
  readonly held: HeldMessage;
  readonly source: Hl7Source;
  readonly outcome: Outcome;
}

const LIMITS = { largest: 16, atOnce: 4, patienceMs: 20 };

/**
 * Outcomes of messages without effect, most of a feed: those of one tenant that come at the same time share a commit. One whose lease has passed
 * on, or that cannot be written, fails alone.
 */
@Injectable()
export class GroupedOutcomes {
  private readonly groups = new BatchedCommits<Asked, WrittenOutcome>((group) => this.writeAll(group), LIMITS);

  constructor(
    private readonly outcomes: OutcomeWriter,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** LeaseLost, `service.unavailable`. */
  async write(held: HeldMessage, source: Hl7Source, outcome: Outcome): Promise<WrittenOutcome> {
    const { organizationId, environment } = held.record;
    const written = await this.groups.run(`${organizationId} ${environment}`, { held, source, outcome });
    return this.outcomes.announce(held, written);
  }

  /** One outcome beside a change of its own; `work` writes it. LeaseLost, `service.unavailable`, and what `work` throws. */
  async beside(
    held: HeldMessage,
    work: (transaction: TenantTransaction) => Promise<WrittenOutcome>,
  ): Promise<WrittenOutcome> {
    return this.outcomes.announce(held, await this.unitOfWork.inTenant(tenantOf(held.record), work));
  }

  private writeAll(group: readonly Asked[]): Promise<readonly WrittenOutcome[]> {
    return this.unitOfWork.inTenant(tenantOf(group[0]!.held.record), (transaction) =>
      Promise.all(group.map(({ held, source, outcome }) => this.outcomes.write(transaction, held, source, outcome))),
    );
  }
}
