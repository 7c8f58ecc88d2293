import { Injectable } from '@nestjs/common';
import { IdSource } from '../../core/ports/id-source.js';
import { PLAIN_BODIES } from '../kit/index.js';
import { HttpDeliveries, type DisabledReason, type Disabling } from '../http/index.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { Logger } from '../../platform/logging/logger.js';
import { SUBSCRIPTION_QUEUE, type NotificationColumns } from './subscription-queue.js';

/** Notifications as their senders use them; health goes into the log. */
@Injectable()
export class SubscriptionDeliveries extends HttpDeliveries<NotificationColumns> {
  constructor(statements: SystemStatements, ids: IdSource, logger: Logger) {
    super(SUBSCRIPTION_QUEUE, statements, PLAIN_BODIES, ids, {
      disabled: async (subscriptionId: string, reason: DisabledReason, disable: Disabling) => {
        const isNew = await disable(statements);
        if (isNew) logger.error('subscription.disabled', { subscriptionId, reason });
        return isNew;
      },
      recovered: (subscriptionId: string, deliveryId: string, failingSince: Date) => {
        logger.info('subscription.recovered', { subscriptionId, deliveryId, failingSince: failingSince.toISOString() });
        return Promise.resolve();
      },
    });
  }
}
