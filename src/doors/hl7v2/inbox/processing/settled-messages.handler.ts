import { Injectable } from '@nestjs/common';
import { DomainEventHandler } from '../../../../core/domain-events/domain-event.handler.js';
import type { DeliveredEvent, DomainEventKind } from '../../../../core/domain-events/domain-event.js';
import { HeldItems } from '../../../../core/held/held-items.js';
import { UnitOfWork } from '../../../../core/ports/unit-of-work.js';
import { HeldMessages } from '../store/held-messages.js';

/** Works off messages that waited, once a person has decided. */
@Injectable()
export class SettledMessages extends DomainEventHandler {
  readonly name = 'hl7-settled';
  readonly kinds: readonly DomainEventKind[] = ['held.settled'];

  constructor(
    private readonly items: HeldItems,
    private readonly messages: HeldMessages,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  async handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    const decision = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.items.decision(transaction, subjectId),
    );
    if (decision === null) return;
    if (decision.resolution.action === 'discard') await this.messages.discard(subjectId);
    else await this.messages.release(subjectId);
  }
}
