import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../../core/domain-events/domain-event.handler.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { ConcurrencyLimit } from '../../../platform/turns/concurrency-limit.js';
import { PushRegister } from '../queue/push-register.js';
import { ResultFilings } from './result-filings.js';

/** The most events made into deliveries at once in one process: each holds a connection that callers share. */
const AT_ONCE = 2;

/** Files every version of a report in the EHRs of its tenant. Idempotent, and correct in any order: an event only names its report. */
@Injectable()
export class EhrResults extends DomainEventHandler {
  readonly name = 'ehr-results';
  override readonly audience = 'ehrs';
  readonly kinds: readonly DomainEventKind[] = ['report.ready', 'report.amended', 'report.moved'];
  private readonly limit = new ConcurrencyLimit(AT_ONCE);

  constructor(
    private readonly register: PushRegister,
    private readonly filings: ResultFilings,
    private readonly clock: ClinicalClock,
  ) {
    super();
  }

  async handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    const ehrs = await this.register.ofTenant(tenant);
    if (ehrs.length === 0) return;
    // By the clock by which reports are issued, as what was issued before it is not sent.
    const timeline = await this.clock.timelineOf(tenant);
    const registered = ehrs.map((ehr) => ({ ...ehr, createdAt: timeline.at(ehr.createdAt) }));
    await this.limit.run(() => this.filings.write(tenant, subjectId, registered));
  }
}
