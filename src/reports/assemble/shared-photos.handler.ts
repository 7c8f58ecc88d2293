import { Injectable } from '@nestjs/common';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { SharedPhotos } from '../../core/report/shared-photos.js';

/** Tells the reports of one photo of each other. Idempotent: it finds what stands now. */
@Injectable()
export class SharedPhotosHandler extends DomainEventHandler {
  readonly name = 'shared-photos';
  readonly kinds: readonly DomainEventKind[] = ['photo.shared'];

  constructor(private readonly photos: SharedPhotos) {
    super();
  }

  handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    return this.photos.settle(tenant, subjectId);
  }
}
