import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { AwaitedPatients } from '../../../standards/fhir/store/awaited-patients.js';
import { ResourceStore, type ResourceTarget } from '../../../standards/fhir/store/resource-store.js';
import { ResourceChanging } from '../interactions/resource-changing.js';
import { statedSubject } from '../interactions/stated-subject.js';

/** Resources that wait for their patient, as their senders would send them once more. */
@Injectable()
export class AwaitingResources {
  constructor(
    private readonly awaited: AwaitedPatients,
    private readonly store: ResourceStore,
    private readonly changing: ResourceChanging,
    private readonly address: PublicAddress,
  ) {}

  /**
   * Takes the resource once more with its patient as they are known now, and with this change; false where it waits no longer. Its sender stays its
   * author. What a client's change is refused with.
   */
  async sendAgain(
    transaction: TenantTransaction,
    target: ResourceTarget,
    change: (resource: Resource) => Resource = (resource) => resource,
  ): Promise<boolean> {
    const type = target.type as ResourceType;
    const stored = await this.store.findForUpdate(transaction, type, target.id);
    if (stored === null || statedSubject(stored.resource) === null) {
      await this.awaited.drop(transaction, target);
      return false;
    }
    const keyId = stored.createdBy.kind === 'client' ? stored.createdBy.keyId : '';
    const { organizationId, environment } = transaction.tenant;
    const call = {
      transaction,
      caller: { organizationId, environment, keyId, scopes: SCOPES },
      base: `${this.address.url}/fhir`,
      requestId: v7(),
      quota: 'wait',
    } as const;
    await this.changing.mark(call, type, target.id, change, { ifMatch: String(stored.version) });
    return true;
  }
}
