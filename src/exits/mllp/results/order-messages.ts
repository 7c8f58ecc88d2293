import { Injectable } from '@nestjs/common';
import { ImageRepository } from '../../../core/images/image.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { OrderParts } from '../outbox/order-parts.js';
import type { NewMessage } from '../outbox/outbound-message.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import type { OrderAnalyses } from './order-analyses.js';
import { OrderMembersReader, type OrderNews } from './order-members.js';
import { OrderMessageComposer } from './order-message-composer.js';
import { ResultQueue } from './result-queue.js';

/** Queues one message for all photos of an order, for every destination that lacks something of it. */
@Injectable()
export class OrderMessages {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly members: OrderMembersReader,
    private readonly composer: OrderMessageComposer,
    private readonly parts: OrderParts,
    private readonly queue: ResultQueue,
    private readonly images: ImageRepository,
  ) {}

  /** Nothing while one of them is being analysed: the event of its end writes. A repeat writes nothing. */
  async write(tenant: Tenant, order: OrderAnalyses, destinations: readonly Hl7Destination[]): Promise<void> {
    if (order.analyses.some(({ kind }) => kind === 'running')) return;
    for (const destination of await this.members.addressed(tenant, destinations)) {
      // If a photo is erased, or another process tells of the order, while the message is composed, it is composed anew.
      while (!(await this.tryToWrite(tenant, order, destination)));
    }
  }

  private async tryToWrite(tenant: Tenant, order: OrderAnalyses, destination: Hl7Destination): Promise<boolean> {
    for (const news of await this.members.of(tenant, order, destination))
      if (!(await this.tryToTell(tenant, order, destination, news))) return false;
    return true;
  }

  private async tryToTell(
    tenant: Tenant,
    order: OrderAnalyses,
    destination: Hl7Destination,
    news: OrderNews,
  ): Promise<boolean> {
    const { carrier, members } = news;
    const message = await this.composer.compose(members, carrier, destination);
    if (message === null) return true;
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      await this.parts.lock(transaction, destination.id, order.orderKey);
      if (!(await this.isAsRead(transaction, news, destination)) || !(await this.holds(transaction, message)))
        return false;
      const resources = members.map((member) =>
        member.kind === 'report' ? `DiagnosticReport/${member.subjectId}` : `Task/${member.subjectId}`,
      );
      await this.queue.enqueue(transaction, destination, [message], { patientId: carrier.patientId, resources });
      await this.parts.keep(transaction, destination.id, members);
      return true;
    });
  }

  private async isAsRead(
    transaction: TenantTransaction,
    { members }: OrderNews,
    { id }: Hl7Destination,
  ): Promise<boolean> {
    const subjects = members.map(({ subjectId }) => subjectId);
    const now = await this.parts.told(transaction, id, subjects);
    return members.every(({ subjectId, told }) => (now.get(subjectId) ?? 0) === told);
  }

  /** Holds the images that the message shows until the transaction ends. False: one of them is gone. */
  private async holds(transaction: TenantTransaction, { imageIds }: NewMessage): Promise<boolean> {
    for (const imageId of [...imageIds].sort())
      if ((await this.images.findForUse(transaction, imageId))?.status !== 'stored') return false;
    return true;
  }
}
