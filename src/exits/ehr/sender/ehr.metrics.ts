import { Injectable } from '@nestjs/common';
import { DeliveryMetrics } from '../../kit/index.js';
import { EhrDeliveries } from '../queue/ehr-queue.js';

/** Figures of results for EHRs, by the id of the registration. */
@Injectable()
export class EhrMetrics extends DeliveryMetrics {
  constructor(deliveries: EhrDeliveries) {
    super(
      {
        label: 'ehr',
        attempts: {
          name: 'sutura_ehr_attempts_total',
          help: 'Attempts to file a result in an EHR, by registration and code: filed, the reason why it is held, the status of the answer, or none',
        },
        oldest: {
          name: 'sutura_ehr_oldest_seconds',
          help: 'Age of the oldest result that waits for its EHR; alarm on this',
        },
        deliveries: { name: 'sutura_ehr_deliveries', help: 'Results that wait for their EHR, or are held or parked' },
      },
      deliveries,
    );
  }
}
