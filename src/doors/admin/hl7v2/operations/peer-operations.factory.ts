import { Injectable } from '@nestjs/common';
import { OperatorTrail } from '../../../../core/audit/operator-trail.js';
import type { Operator } from '../../../../core/tenancy/operator.js';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { ServedListeners } from '../../../hl7v2/inbox/listeners/served-listeners.js';
import { DestinationRegister } from '../../../../exits/mllp/destinations/destination-register.js';
import { DestinationRemoval } from '../../../../exits/mllp/destinations/destination-removal.js';
import { DestinationTest } from '../../../../exits/mllp/sender/destination-test.js';
import { PeerOperations } from './peer-operations.js';

/** Makes the operations of one operator, under whose name every change is written into the audit trail. */
@Injectable()
export class PeerOperationsFactory {
  constructor(
    private readonly listeners: ListenerRepository,
    private readonly served: ServedListeners,
    private readonly destinations: DestinationRegister,
    private readonly removal: DestinationRemoval,
    private readonly test: DestinationTest,
    private readonly trail: OperatorTrail,
  ) {}

  of(operator: Operator): PeerOperations {
    const { listeners, served, destinations, removal, test } = this;
    return new PeerOperations({
      listeners,
      served,
      destinations,
      removal,
      test,
      record: (act) => this.trail.record(operator, act),
    });
  }
}
