import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { DeliveryControl, PLAIN_BODIES } from '../../deliveries/index.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { SUBSCRIPTION_QUEUE, SubscriptionQueue, type NotificationColumns } from './subscription-queue.js';

/** What a person does with single notifications. Over all tenants: never reached from a caller's key. */
@Injectable()
export class SubscriptionControl extends DeliveryControl<NotificationColumns> {
  constructor(statements: SystemStatements, unitOfWork: UnitOfWork, queue: SubscriptionQueue) {
    super(SUBSCRIPTION_QUEUE, statements, unitOfWork, queue, PLAIN_BODIES);
  }
}
