import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { ConcurrencyLimit } from '../../../platform/turns/concurrency-limit.js';
import { EventProjection } from './event-projection.js';
import { FhirActivation } from './fhir-activation.js';
import { onceMore } from './once-more.js';
import { ReportProjection } from './report-projection.js';
import { TaskProjection } from './task-projection.js';

/** Projections at once in one process. Each holds a connection that callers share. */
const AT_ONCE = 3;

/**
 * Keeps the resources of jobs and reports up to date, for tenants that ever asked for FHIR. Idempotent, and right in any order: each event only says
 * what to look at.
 */
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
    'wound.related',
    'wound.treated',
    'wound.closed',
    'wound.reopened',
  ];
  override readonly audience = 'fhir';
  private readonly limit = new ConcurrencyLimit(AT_ONCE);

  constructor(
    private readonly opening: FhirActivation,
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportProjection,
    private readonly tasks: TaskProjection,
    private readonly events: EventProjection,
  ) {
    super();
  }

  async handle({ kind, tenant, subjectId }: DeliveredEvent): Promise<void> {
    if (!(await this.opening.isActive(tenant))) return;
    const ofReport = kind === 'report.ready' || kind === 'report.amended' || kind === 'report.moved';
    const project = () =>
      this.unitOfWork.inTenant(tenant, async (transaction) => {
        if (kind.startsWith('wound.')) await this.events.project(transaction, subjectId);
        else if (ofReport) await this.reports.project(transaction, [subjectId]);
        else await this.tasks.follow(transaction, subjectId);
      });
    await this.limit.run(() => onceMore(project));
  }
}
