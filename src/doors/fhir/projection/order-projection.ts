import { Injectable } from '@nestjs/common';
import type { ServiceRequest } from '@medplum/fhirtypes';
import type { AnalysisRequest } from '../../../core/analysis/analysis-request.js';
import { AnalysisRequestRepository } from '../../../core/analysis/analysis-request.repository.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ServiceResources } from './service-resources.js';

const ORDER = /^ServiceRequest\/(.+)$/;

/** Lets an order follow its analyses: completed once none of them is pending or awaits review. */
@Injectable()
export class OrderProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly requests: AnalysisRequestRepository,
    private readonly jobs: JobRepository,
    private readonly reports: ReportRepository,
  ) {}

  /** A report of this job was issued for good. An order that is not active, or that is repeated by a schedule, stays as it is. */
  async reportIssued(transaction: TenantTransaction, jobId: string): Promise<void> {
    const { orderKey = null } = (await this.requests.find(transaction, jobId)) ?? {};
    const orderId = ORDER.exec(orderKey ?? '')?.[1];
    if (orderKey === null || orderId === undefined) return;
    const stored = await this.resources.findForUpdate<ServiceRequest>(transaction, 'ServiceRequest', orderId);
    if (stored?.resource.status !== 'active' || stored.resource.occurrenceTiming !== undefined) return;
    for (const request of await this.requests.listOfOrder(transaction, orderKey)) {
      if (!(await this.isSettled(transaction, request))) return;
    }
    await this.resources.write<ServiceRequest>(transaction, stored, {
      ...stored.resource,
      status: 'completed',
    });
  }

  private async isSettled(transaction: TenantTransaction, { id, state }: AnalysisRequest): Promise<boolean> {
    if (state !== 'started') return state === 'rejected' || state === 'cancelled';
    const job = await this.jobs.find(transaction, id);
    if (job?.status !== 'completed') return job?.status === 'error';
    const current = await this.reports.find(transaction, job.reportId);
    return current !== null && current.report.status !== 'preliminary';
  }
}
