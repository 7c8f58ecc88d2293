import { Injectable } from '@nestjs/common';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { isSuturaError, type SuturaError } from '../../../core/errors/sutura-error.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Logger } from '../../../platform/logging/logger.js';
import { AwaitedPatients } from '../../../standards/fhir/store/awaited-patients.js';
import type { ResourceTarget } from '../../../standards/fhir/store/resource-store.js';
import { AwaitingResources } from './awaiting-resources.js';

/** Kinds of refusals that a later try may not meet. */
const PASSING: readonly SuturaError['kind'][] = ['internal', 'unavailable', 'storage_full', 'limited', 'timed_out'];
/** Findings come before the photo that they are about, and a photo before its order, which asks for the analysis. */
const LAST: readonly string[] = ['Media', 'DocumentReference', 'ServiceRequest'];

/**
 * Files what waited for a patient under them, once they have come by whichever door. What cannot be filed, such as a photo whose sender states
 * another person, goes on waiting for somebody who looks. Idempotent.
 */
@Injectable()
export class PatientArrival extends DomainEventHandler {
  readonly name = 'fhir-patient-known';
  readonly kinds: readonly DomainEventKind[] = ['patient.known'];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly awaited: AwaitedPatients,
    private readonly resources: AwaitingResources,
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
      await this.unitOfWork.inTenant(tenant, (transaction) => this.resources.sendAgain(transaction, target));
    } catch (fault) {
      // What a later try may not meet keeps the event, so that nothing waits for ever.
      if (!isSuturaError(fault) || PASSING.includes(fault.kind)) throw fault;
      const { organizationId, environment } = tenant;
      const resource = `${target.type}/${target.id}`;
      this.logger.warn('fhir.patient_not_joined', { organizationId, environment, resource, code: fault.code });
    }
  }
}
