import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { ConcurrencyLimit } from '../../platform/concurrency-limit.js';
import { ReportProjection } from './report-projection.js';
import { TaskProjection } from './task-projection.js';

/** Projections at once in one process. Each holds a connection that callers share. */
const AT_ONCE = 3;

/** Keeps the resources of jobs and reports up to date. Idempotent, and right in any order: each event only says what to look at. */
@Injectable()
export class FhirProjectionHandler extends DomainEventHandler {
  readonly name = 'fhir-projection';
  readonly kinds: readonly DomainEventKind[] = [
    'analysis.queued',
    'analysis.started',
    'analysis.failed',
    'analysis.rejected',
    'report.ready',
    'report.amended',
    'report.moved',
  ];
  private readonly limit = new ConcurrencyLimit(AT_ONCE);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportProjection,
    private readonly tasks: TaskProjection,
  ) {
    super();
  }

  handle({ kind, tenant, subjectId }: DeliveredEvent): Promise<void> {
    const ofReport = kind === 'report.ready' || kind === 'report.amended' || kind === 'report.moved';
    const project = () =>
      this.unitOfWork.inTenant(tenant, async (transaction) => {
        if (ofReport) await this.reports.project(transaction, [subjectId]);
        else await this.tasks.follow(transaction, subjectId);
      });
    return this.limit.run(() => onceMore(project));
  }
}

/** Several reports of one patient wait for each other, perhaps beyond the lock timeout; the outbox would come back only in half a minute. */
async function onceMore(project: () => Promise<void>): Promise<void> {
  try {
    await project();
  } catch (error) {
    if (!isSuturaError(error, 'service.unavailable')) throw error;
    await project();
  }
}
