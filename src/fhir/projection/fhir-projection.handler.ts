import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../core/ports/outbox.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { Lanes } from './lanes.js';
import { ReportProjection } from './report-projection.js';
import { TaskProjection } from './task-projection.js';

/** Projections at once in one process. Each holds a connection that callers share. */
const LANES = 3;

/** Keeps the FHIR face of jobs and reports up to date. Idempotent, and right in any order: each event only says what to look at. */
@Injectable()
export class FhirProjectionHandler extends DomainEventHandler {
  readonly name = 'fhir-projection';
  readonly kinds: readonly DomainEventKind[] = ['analysis.queued', 'analysis.started', 'analysis.failed', 'analysis.rejected', 'report.ready', 'report.amended'];
  private readonly lanes = new Lanes(LANES);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportProjection,
    private readonly tasks: TaskProjection,
  ) {
    super();
  }

  handle({ kind, tenant, subjectId }: DeliveredEvent): Promise<void> {
    const ofReport = kind === 'report.ready' || kind === 'report.amended';
    return this.lanes.run(() =>
      this.unitOfWork.inTenant(tenant, async (transaction) => {
        if (ofReport) await this.reports.project(transaction, tenant, [subjectId]);
        else await this.tasks.follow(transaction, tenant, subjectId);
      }),
    );
  }
}
