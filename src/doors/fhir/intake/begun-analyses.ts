import type { ServiceRequest } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { AnalysisRequest } from '../../../core/analysis/analysis-request.js';
import { AnalysisRequestService, isOpen } from '../../../core/analysis/analysis-request.service.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { FhirCall } from '../call/fhir-call.js';
import { OrderProjection } from '../projection/order-projection.js';
import { AnalysisRequestBuilder } from './analysis-request.builder.js';
import { AnalysisTasks } from './analysis-tasks.js';
import { PhotoOrders } from './photo-orders.js';
import type { PhotoResource } from './photo-resource.js';
import { orderKeyOf } from './wound-order.js';

/** Analyses that their photo began before its order came: they go on under the order, and nothing is analysed or charged twice. */
@Injectable()
export class BegunAnalyses {
  constructor(
    private readonly requests: AnalysisRequestService,
    private readonly jobs: JobRepository,
    private readonly tasks: AnalysisTasks,
    private readonly builder: AnalysisRequestBuilder,
    private readonly photoOrders: PhotoOrders,
    private readonly orders: OrderProjection,
  ) {}

  /** True where the photo has its analysis, by itself or by one of the order with the same bytes. What has not begun is asked as the order says. */
  async goOnUnder(call: FhirCall, order: ServiceRequest, photo: PhotoResource): Promise<boolean> {
    const { transaction } = call;
    const asked = await this.requests.ofOrder(transaction, orderKeyOf(order.id!));
    if ((await this.photoOrders.withSameBytes(transaction, asked, photo.imageId)).length > 0) return true;
    for (const request of await this.requests.ofImage(transaction, photo.imageId)) {
      if (request.orderKey !== null || !(await this.isAlive(transaction, request))) continue;
      await this.closePlaces(call, asked);
      await this.bring(call, request, order, photo);
      return true;
    }
    return false;
  }

  /**
   * The order in the place of those that photos began under its number: their analyses and photos are its own from now on, they end, and give
   * their numbers up. Runs before it is inserted, as only one order may have a number.
   */
  async inPlaceOfBegun(call: FhirCall, order: ServiceRequest): Promise<ServiceRequest> {
    const begun = await this.photoOrders.begunFor(call, order);
    for (const one of begun) {
      await this.photoOrders.handOver(call, one, order);
      for (const request of await this.requests.ofOrder(call.transaction, orderKeyOf(one.id!)))
        await this.bring(call, request, order, await this.photoOrders.photoOf(call, request.imageId));
    }
    if (begun.length === 0) return order;
    const isDone = order.status === 'active' && begun.every(({ status }) => status === 'completed');
    const replaces = begun.map(({ id }) => ({ reference: orderKeyOf(id!) }));
    return {
      ...order,
      ...(isDone ? { status: 'completed' } : {}),
      replaces: [...(order.replaces ?? []), ...replaces],
    };
  }

  private async bring(
    call: FhirCall,
    request: AnalysisRequest,
    order: ServiceRequest,
    photo: PhotoResource | null,
  ): Promise<void> {
    const { transaction } = call;
    await this.requests.bringUnder(transaction, request.id, orderKeyOf(order.id!));
    let clinicalContext: string | null = null;
    if (isOpen(request) && photo !== null) {
      const options = await this.builder.optionsOf(call, { order, photo });
      await this.requests.revise(transaction, photo.imageId, (before) => ({
        ...before,
        ...options,
        source: before.source,
      }));
      ({ clinicalContext } = options);
    }
    await this.tasks.bringUnder(call, request.id, orderKeyOf(order.id!), clinicalContext);
    // Its report may be out already, and the order has nothing to wait for.
    await this.orders.reportIssued(transaction, request.id);
  }

  /** The order has its photo: what waited for one in its place ends, which was never charged. */
  private async closePlaces(call: FhirCall, asked: readonly AnalysisRequest[]): Promise<void> {
    for (const request of asked) {
      if (request.imageId !== null || !isOpen(request)) continue;
      await this.requests.cancel(call.transaction, request.id);
      await this.tasks.cancel(call, request.id);
    }
  }

  /** Whether one of them has not failed: a failed analysis is asked for anew. */
  async isAnyAlive(transaction: TenantTransaction, requests: readonly AnalysisRequest[]): Promise<boolean> {
    for (const request of requests) if (await this.isAlive(transaction, request)) return true;
    return false;
  }

  private async isAlive(transaction: TenantTransaction, request: AnalysisRequest): Promise<boolean> {
    if (isOpen(request)) return true;
    return request.state === 'started' && (await this.jobs.find(transaction, request.id))?.status !== 'error';
  }
}
