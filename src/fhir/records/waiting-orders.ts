import { Injectable } from '@nestjs/common';
import { AnalysisRequestService, isOpen } from '../../core/analysis/analysis-request.service.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { FhirCall } from '../call/fhir-call.js';
import { orderKeyOf } from '../intake/wound-order.js';
import { ResourceStore } from '../store/resource-store.js';

/** Orders whose photo has not come: what is sent for them completes them, and what comes after that is another order's. */
@Injectable()
export class WaitingOrders {
  constructor(
    private readonly requests: AnalysisRequestService,
    private readonly store: ResourceStore,
  ) {}

  /** True, too, where every analysis came to nothing before it began. */
  async isWaiting(transaction: TenantTransaction, orderId: string): Promise<boolean> {
    const asked = await this.requests.ofOrder(transaction, orderKeyOf(orderId));
    return asked.every((request) => (isOpen(request) ? request.imageId === null : request.state !== 'started'));
  }

  /** Held until the transaction ends: of two photos at once one completes the order. `fhir.version_conflict`. */
  async require({ transaction }: FhirCall, orderIds: readonly string[]): Promise<void> {
    for (const id of [...orderIds].sort()) {
      await this.store.findForUpdate(transaction, 'ServiceRequest', id);
      if (!(await this.isWaiting(transaction, id)))
        throw new SuturaError('fhir.version_conflict', { detail: 'The order has its photo meanwhile.' });
    }
  }
}
