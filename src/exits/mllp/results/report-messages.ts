import { Injectable } from '@nestjs/common';
import { ImageRepository } from '../../../core/images/image.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ListenerAuthorities } from '../destinations/listener-authorities.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { ReportFactsReader } from './report-facts-reader.js';
import { ReportMessageComposer, type MessagesOfDestination } from './report-message-composer.js';
import { ResultQueue } from './result-queue.js';

/** Queues the versions of a report for every destination that lacks them. */
@Injectable()
export class ReportMessages {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportFactsReader,
    private readonly composer: ReportMessageComposer,
    private readonly images: ImageRepository,
    private readonly queue: ResultQueue,
    private readonly authorities: ListenerAuthorities,
  ) {}

  /** A report that this one replaces is withdrawn first: a receiver never holds both. A repeat writes nothing. */
  async write(tenant: Tenant, reportId: string, destinations: readonly Hl7Destination[]): Promise<void> {
    // If a photo is erased while its messages are composed, they are composed anew, without it.
    while (!(await this.tryToWrite(tenant, reportId, destinations)));
  }

  private async tryToWrite(
    tenant: Tenant,
    reportId: string,
    destinations: readonly Hl7Destination[],
  ): Promise<boolean> {
    const facts = await this.reports.read(tenant, reportId, destinations);
    if (facts === null) return true;
    const { replaces } = facts.reading.report;
    if (replaces !== null) await this.write(tenant, replaces, destinations);
    const composed = await this.composer.compose(facts, destinations, await this.authorities.ofTenant(tenant));
    const disclosed = { patientId: facts.patientId, resources: [`DiagnosticReport/${reportId}`] };
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      if (!(await this.lockImages(transaction, composed))) return false;
      for (const [destination, messages] of composed)
        await this.queue.enqueue(transaction, destination, messages, disclosed);
      return true;
    });
  }

  /** Holds the images that the messages show until the transaction ends. False: one of them is gone. */
  private async lockImages(
    transaction: TenantTransaction,
    composed: readonly MessagesOfDestination[],
  ): Promise<boolean> {
    const shown = new Set(composed.flatMap(([, messages]) => messages.flatMap(({ imageIds }) => imageIds)));
    for (const imageId of [...shown].sort()) {
      if ((await this.images.findForUse(transaction, imageId))?.status !== 'stored') return false;
    }
    return true;
  }
}
