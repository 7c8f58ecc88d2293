import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { BatchedCommits } from '../../../platform/database/batched-commits.js';
import { FhirAudit } from '../audit/fhir-audit.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceWriting, type AdmittedResource, type Submission } from '../interactions/resource-writing.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';

/** A create that stands alone, of one request. */
interface AskedCreate extends Omit<FhirCall, 'transaction'> {
  readonly submission: Submission;
}

/** Two: this process prepares one group while the database writes the other, but not so soon that both are small. */
const LIMITS = { largest: 50, atOnce: 2, patienceMs: 5 };

/**
 * Groups creates that stand alone: those of concurrent requests of a tenant share one transaction, each resource with its version, its index rows and
 * its line in the audit trail. A refusal reaches only its own request.
 */
@Injectable()
export class GroupedCreates {
  private readonly work = new BatchedCommits<AskedCreate, StoredResource>((group) => this.createAll(group), LIMITS);

  constructor(
    private readonly writing: ResourceWriting,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: FhirAudit,
  ) {}

  create(asked: AskedCreate): Promise<StoredResource> {
    const { organizationId, environment } = asked.caller;
    return this.work.run(`${organizationId} ${environment}`, asked);
  }

  private createAll(group: readonly AskedCreate[]): Promise<readonly StoredResource[]> {
    return this.unitOfWork.inTenant(group[0]!.caller, async (transaction) => {
      // Each reads nothing of another's, so that what they ask of the database travels together.
      const admitted = await Promise.all(
        group.map(async ({ submission, ...context }): Promise<AdmittedResource> => {
          const call = { ...context, transaction };
          return this.writing.admit(call, submission, await this.writing.assignId(call, submission));
        }),
      );
      const stored = await this.writing.settle(admitted[0]!.call, await this.writing.insert(admitted));
      await this.audit.recordAll(
        stored.map(({ resource }, at) => ({
          call: admitted[at]!.call,
          interaction: 'create',
          touched: { resources: [resource] },
        })),
      );
      return stored;
    });
  }
}
