import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { RelatedWounds } from '../../core/report/related-wounds.js';

/** Has a wound compared anew with those that it grew together with. Idempotent: it finds what stands now. */
@Injectable()
export class RelatedWoundsHandler extends DomainEventHandler {
  readonly name = 'related-wounds';
  readonly kinds: readonly DomainEventKind[] = ['wound.related'];

  constructor(private readonly wounds: RelatedWounds) {
    super();
  }

  handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    return this.wounds.settle(tenant, subjectId);
  }
}
