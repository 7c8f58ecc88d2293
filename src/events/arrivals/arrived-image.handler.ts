import { Injectable } from '@nestjs/common';
import { AnalysisRequestService } from '../../core/analysis/analysis-request.service.js';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import { DomainEventHandler } from '../../core/ports/outbox.js';

/** Starts what waits for a photo once its bytes are there. Idempotent: a request that does not wait any more is left as it is. */
@Injectable()
export class ArrivedImageHandler extends DomainEventHandler {
  readonly name = 'arrived-image';
  readonly kinds: readonly DomainEventKind[] = ['image.stored'];

  constructor(private readonly requests: AnalysisRequestService) {
    super();
  }

  handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    return this.requests.imageReady(tenant, subjectId);
  }
}
