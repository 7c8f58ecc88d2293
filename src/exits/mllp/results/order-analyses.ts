import { Injectable } from '@nestjs/common';
import { AnalysisRequestRepository } from '../../../core/analysis/analysis-request.repository.js';
import type { AnalysisRequest } from '../../../core/analysis/analysis-request.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportRepository } from '../../../core/report/report.repository.js';

/** An analysis of an order, and what a receiver is told of it: its report, or that there is none; `running`: nothing yet. */
export type OrderAnalysis =
  | { readonly kind: 'report'; readonly reportId: string }
  | { readonly kind: 'failure'; readonly analysisId: string }
  | { readonly kind: 'running' };

/** The photos of one order. */
export interface OrderAnalyses {
  readonly orderKey: string;
  /** In the order in which they were asked for. What never had a photo, and what was cancelled before it began, is left out. */
  readonly analyses: readonly OrderAnalysis[];
}

/** Reads what else was asked for by the order of an analysis. */
@Injectable()
export class OrderAnalysesReader {
  constructor(
    private readonly requests: AnalysisRequestRepository,
    private readonly jobs: JobRepository,
    private readonly reports: ReportRepository,
  ) {}

  /** null: nobody ordered it, or its report has moved away from what was ordered. */
  async ofReport(transaction: TenantTransaction, reportId: string): Promise<OrderAnalyses | null> {
    const current = await this.reports.find(transaction, reportId);
    if (current === null || current.report.replaces !== null || current.report.replacedBy !== null) return null;
    return this.ofAnalysis(transaction, current.report.jobId);
  }

  /** null: nobody ordered it. */
  async ofAnalysis(transaction: TenantTransaction, analysisId: string): Promise<OrderAnalyses | null> {
    const { orderKey = null } = (await this.requests.find(transaction, analysisId)) ?? {};
    if (orderKey === null) return null;
    const analyses: OrderAnalysis[] = [];
    for (const request of await this.requests.listOfOrder(transaction, orderKey))
      analyses.push(...(await this.stateOf(transaction, request)));
    return { orderKey, analyses };
  }

  private async stateOf(transaction: TenantTransaction, { id, state }: AnalysisRequest): Promise<OrderAnalysis[]> {
    if (state === 'rejected') return [{ kind: 'failure', analysisId: id }];
    const job = state === 'started' ? await this.jobs.find(transaction, id) : null;
    if (job === null) return [];
    if (job.status === 'error') return [{ kind: 'failure', analysisId: id }];
    const current = job.status === 'completed' ? await this.reports.find(transaction, job.reportId) : null;
    if (current === null) return [{ kind: 'running' }];
    const { replaces, replacedBy } = current.report;
    return replaces === null && replacedBy === null ? [{ kind: 'report', reportId: current.report.id }] : [];
  }
}
