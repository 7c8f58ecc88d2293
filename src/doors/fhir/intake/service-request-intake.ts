import type { ServiceRequest } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { isSameJson } from '../../../core/report/same-content.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { statedSubject } from '../interactions/stated-subject.js';
import { idOf } from './local-reference.js';
import { OrderMatching } from './order-matching.js';
import { ResourceIntake } from '../interactions/resource-intake.js';
import { isWoundOrder, whyNoOrder, whyNothingFollows } from './wound-order.js';

/** Statuses that end an order, and with it the analyses that have not begun. */
const ENDED: readonly ServiceRequest['status'][] = ['revoked', 'entered-in-error'];

/** Statuses of an order that requests, or has requested, analyses. */
const STANDING: readonly ServiceRequest['status'][] = ['active', 'on-hold', 'completed'];

/** An active order of a wound assessment is analyses with their Tasks; any other order is kept as it is. */
@Injectable()
export class ServiceRequestIntake extends ResourceIntake<ServiceRequest> {
  readonly type = 'ServiceRequest';

  constructor(private readonly orders: OrderMatching) {
    super();
  }

  override admit(call: FhirCall, resource: ServiceRequest): Promise<ServiceRequest> {
    return this.orders.inPlaceOfBegun(call, resource);
  }

  override async amend(
    call: FhirCall,
    { resource: current }: StoredResource<ServiceRequest>,
    next: ServiceRequest,
  ): Promise<ServiceRequest> {
    if (!isWoundOrder(current) && !isWoundOrder(next)) return next;
    const known = idOf(current.subject, 'Patient');
    const isFound = known === null && statedSubject(current) !== null && idOf(next.subject, 'Patient') !== null;
    if (known !== idOf(next.subject, 'Patient') && !isFound)
      throw new SuturaError('fhir.subject_fixed', {
        detail: 'An order keeps its patient. Revoke it and place a new one.',
      });
    if (isFound) {
      await this.orders.awaitPhotos(call, next);
      await this.orders.patientFound(call, next);
    }
    // Senders repeat an order as they know it, which does not reopen one whose analyses have ended.
    const completes = current.intent === 'filler-order' && next.intent !== 'filler-order';
    if (current.status === 'completed' && next.status === 'active' && (completes || !asksOtherwise(current, next)))
      return { ...next, status: 'completed' };
    if (isOver(next)) {
      if (!isOver(current)) await this.cancel(call, next.id!);
      return next;
    }
    if (STANDING.includes(next.status) && asksOtherwise(current, next))
      await this.orders.orderRevised(call, next, { completes });
    if (next.status === 'on-hold') await this.orders.stop(call, next.id!, 'hold');
    else if (next.status === 'active') {
      if (current.status === 'on-hold') await this.orders.resume(call, next);
      await this.orders.orderPlaced(call, next);
    }
    return next;
  }

  override async settle(call: FhirCall, { resource }: StoredResource<ServiceRequest>): Promise<void> {
    await this.orders.awaitPhotos(call, resource);
    await this.orders.orderPlaced(call, resource);
  }

  override advice(_call: FhirCall, { resource }: StoredResource<ServiceRequest>): Promise<readonly string[]> {
    const reason = isWoundOrder(resource)
      ? whyNothingFollows(resource)
      : 'The order is kept, and asks for nothing of this service. Analyses are ordered with the code 39135-9 of LOINC.';
    return Promise.resolve(reason === null ? [] : [reason]);
  }

  /** Atomic: an order with an analysis in progress cannot be revoked. */
  private async cancel(call: FhirCall, orderId: string): Promise<void> {
    if ((await this.orders.stop(call, orderId, 'cancel')).length === 0) return;
    throw new SuturaError('fhir.task_state', {
      detail:
        call.door === 'hl7v2'
          ? 'An analysis of this order has begun or ended, so the order stays, and its result is sent as ordered. A result that nobody should use is withdrawn by the people who review it.'
          : 'An analysis of this order has begun. Cancel the Tasks that have not, one by one.',
    });
  }
}

/** True where nothing is to be analysed, and what has not begun ends. */
function isOver(order: ServiceRequest): boolean {
  return ENDED.includes(order.status) || whyNoOrder(order) !== null;
}

/** True where an analysis would have other inputs than before. */
function asksOtherwise(current: ServiceRequest, next: ServiceRequest): boolean {
  const asked = ({ priority, reasonCode, note, bodySite, supportingInfo }: ServiceRequest): object => ({
    priority,
    reasonCode,
    note,
    bodySite,
    supportingInfo,
  });
  return !isSameJson(asked(current), asked(next));
}
