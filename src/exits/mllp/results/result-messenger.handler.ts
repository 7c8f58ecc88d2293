import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import { ConcurrencyLimit } from '../../../platform/turns/concurrency-limit.js';
import { DestinationRegister } from '../destinations/destination-register.js';
import { FailureMessages } from './failure-messages.js';
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
  ) {
    super();
  }

  async handle({ kind, tenant, subjectId }: DeliveredEvent): Promise<void> {
    const destinations = await this.destinations.ofTenant(tenant);
    if (destinations.length === 0) return;
    const messages = kind === 'analysis.failed' || kind === 'analysis.rejected' ? this.failures : this.reports;
    await this.limit.run(() => messages.write(tenant, subjectId, destinations));
  }
}
