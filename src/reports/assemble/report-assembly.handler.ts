import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { ReportAssembly } from '../../core/report/report-assembly.js';

/** Makes the report of a job that ended without one. Idempotent: a job has one report, however often its event comes. */
@Injectable()
export class ReportAssemblyHandler extends DomainEventHandler {
  readonly name = 'report-assembly';
  readonly kinds: readonly DomainEventKind[] = ['analysis.completed'];

  constructor(private readonly assembly: ReportAssembly) {
    super();
  }

  handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    return this.assembly.assemble(tenant, subjectId);
  }
}
