import type { ResourceType } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { Logger } from '../../../platform/logging/logger.js';
import { AwaitedPatients } from '../../../standards/fhir/store/awaited-patients.js';
import { ResourceStore, type ResourceTarget } from '../../../standards/fhir/store/resource-store.js';
import { ResourceChanging } from '../interactions/resource-changing.js';
import { statedSubject } from '../interactions/stated-subject.js';

/** Findings come before the photo that they are about, and a photo before its order, which asks for the analysis. */
const LAST: readonly string[] = ['Media', 'DocumentReference', 'ServiceRequest'];

/**
 * Files what waited for a patient under them, once they have come by whichever door: each resource as if its sender sent it once more. What cannot
 * be filed, such as a photo of one patient's wound, goes on waiting for somebody who looks. Idempotent.
 */
@Injectable()
export class PatientArrival extends DomainEventHandler {
  readonly name = 'fhir-patient-known';
  readonly kinds: readonly DomainEventKind[] = ['patient.known'];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly awaited: AwaitedPatients,
    private readonly store: ResourceStore,
    private readonly changing: ResourceChanging,
    private readonly address: PublicAddress,
    private readonly logger: Logger,
  ) {
    super();
  }

  async handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    const waiting = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.awaited.ofPatient(transaction, subjectId),
    );
    const rankOf = ({ type }: ResourceTarget): number => LAST.indexOf(type);
    for (const target of [...waiting].sort((one, other) => rankOf(one) - rankOf(other)))
      await this.file(tenant, target);
  }

  private async file(tenant: Tenant, target: ResourceTarget): Promise<void> {
    try {
      await this.unitOfWork.inTenant(tenant, (transaction) => this.sendAgain(transaction, target));
    } catch (fault) {
      if (!isSuturaError(fault) || fault.code === 'service.unavailable') throw fault;
      this.logger.warn('fhir.patient_not_joined', {
        ...tenant,
        resource: `${target.type}/${target.id}`,
        code: fault.code,
      });
    }
  }

  private async sendAgain(transaction: TenantTransaction, target: ResourceTarget): Promise<void> {
    const type = target.type as ResourceType;
    const stored = await this.store.findForUpdate(transaction, type, target.id);
    if (stored === null || statedSubject(stored.resource) === null) return this.awaited.drop(transaction, target);
    const keyId = stored.createdBy.kind === 'client' ? stored.createdBy.keyId : '';
    const { organizationId, environment } = transaction.tenant;
    const call = {
      transaction,
      caller: { organizationId, environment, keyId, scopes: SCOPES },
      base: `${this.address.url}/fhir`,
      requestId: v7(),
      quota: 'wait',
    } as const;
    await this.changing.mark(call, type, target.id, (resource) => resource, { ifMatch: String(stored.version) });
  }
}
