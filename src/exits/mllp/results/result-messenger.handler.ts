import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ConcurrencyLimit } from '../../../platform/turns/concurrency-limit.js';
import { DestinationRegister } from '../destinations/destination-register.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { FailureMessages } from './failure-messages.js';
import { OrderAnalysesReader, type OrderAnalyses } from './order-analyses.js';
import { OrderMessages } from './order-messages.js';
import { ReportMessages } from './report-messages.js';

/**
 * The most reports made into messages at once in one process: each may render a document and holds a connection that
 * callers share.
 */
const AT_ONCE = 2;

/**
 * Makes a message of every version of a report, and of every failed analysis. Idempotent, and correct in any order: an
 * event only names its subject.
 */
@Injectable()
export class ResultMessenger extends DomainEventHandler {
  readonly name = 'hl7-results';
  override readonly audience = 'hl7-destinations';
  readonly kinds: readonly DomainEventKind[] = [
    'report.ready',
    'report.amended',
    'report.moved',
    'analysis.failed',
    'analysis.rejected',
  ];
  private readonly limit = new ConcurrencyLimit(AT_ONCE);

  constructor(
    private readonly destinations: DestinationRegister,
    private readonly reports: ReportMessages,
    private readonly failures: FailureMessages,
    private readonly orders: OrderMessages,
    private readonly analyses: OrderAnalysesReader,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  async handle({ kind, tenant, subjectId }: DeliveredEvent): Promise<void> {
    const destinations = await this.destinations.ofTenant(tenant);
    if (destinations.length === 0) return;
    const isFailure = kind === 'analysis.failed' || kind === 'analysis.rejected';
    await this.limit.run(async () => {
      const order = await this.orderOf(tenant, subjectId, isFailure);
      const isWhole = ({ settings: { grouping } }: Hl7Destination): boolean => order !== null && grouping === 'order';
      if (order !== null) await this.orders.write(tenant, order, destinations.filter(isWhole));
      const single = destinations.filter((one) => !isWhole(one));
      if (single.length > 0) await (isFailure ? this.failures : this.reports).write(tenant, subjectId, single);
    });
  }

  /** null: the photo is told of by itself, as one that nobody ordered and the only one of its order. */
  private async orderOf(tenant: Tenant, subjectId: string, isFailure: boolean): Promise<OrderAnalyses | null> {
    const order = await this.unitOfWork.inTenant(tenant, (transaction) =>
      isFailure ? this.analyses.ofAnalysis(transaction, subjectId) : this.analyses.ofReport(transaction, subjectId),
    );
    return order === null || order.analyses.length < 2 ? null : order;
  }
}
