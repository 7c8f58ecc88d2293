import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ListenerAuthorities, withAuthorities } from '../destinations/listener-authorities.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { toFailureMessage } from '../oru/failure-message.js';
import { authoritiesOf, takes } from '../routing/routes.js';
import { FailureFactsReader } from './failure-facts-reader.js';
import { ResultQueue } from './result-queue.js';

/** Tells destinations that an analysis will have no result. */
@Injectable()
export class FailureMessages {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly failures: FailureFactsReader,
    private readonly queue: ResultQueue,
    private readonly authorities: ListenerAuthorities,
  ) {}

  /** A repeat writes nothing. */
  async write(tenant: Tenant, analysisId: string, destinations: readonly Hl7Destination[]): Promise<void> {
    const failure = await this.failures.read(tenant, analysisId);
    if (failure === null) return;
    const { facts, origin, patientId } = failure;
    const { receivedPid, record, identifier } = facts.patient;
    const routed = { origin, authorities: authoritiesOf(receivedPid, record, identifier) };
    // Routes take a failure like a final result.
    const addressed = destinations.filter(
      ({ createdAt, settings: { routes } }) =>
        facts.failedAt >= createdAt &&
        takes(routes, routed) &&
        (routes.statuses.length === 0 || routes.statuses.includes('final')),
    );
    const known = await this.authorities.ofTenant(tenant);
    await this.unitOfWork.inTenant(tenant, async (transaction) => {
      for (const destination of [...addressed].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const build = toFailureMessage(facts, withAuthorities(destination.settings, known));
        if (build === null) continue;
        const message = {
          kind: 'result' as const,
          subjectId: analysisId,
          version: 1,
          lane: patientId ?? analysisId,
          preliminary: false,
          imageIds: [],
          build,
        };
        await this.queue.enqueue(transaction, destination, [message], {
          patientId,
          resources: [`Task/${analysisId}`],
        });
      }
    });
  }
}
