import { Injectable } from '@nestjs/common';
import { DomainEventHandler } from '../../../../core/domain-events/domain-event.handler.js';
import type { DeliveredEvent, DomainEventKind } from '../../../../core/domain-events/domain-event.js';
import { UnknownPatients } from '../../../../core/held/unknown-patients.js';

/** Has messages worked off that waited for their patient, once they have come by whichever door. */
@Injectable()
export class AnnouncedPatients extends DomainEventHandler {
  readonly name = 'hl7-patient-known';
  readonly kinds: readonly DomainEventKind[] = ['patient.known'];

  constructor(private readonly unknown: UnknownPatients) {
    super();
  }

  handle({ tenant, subjectId }: DeliveredEvent): Promise<void> {
    return this.unknown.arrive(tenant, subjectId);
  }
}
