import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../core/ports/id-source.js';
import { PLAIN_BODIES } from '../../kit/index.js';
import { HttpDeliveries } from '../../http/index.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { WEBHOOK_QUEUE, type WebhookColumns } from './webhook-queue.js';
import { HealthChanges } from './health-changes.js';

/** Webhooks as their senders use them. */
@Injectable()
export class WebhookDeliveries extends HttpDeliveries<WebhookColumns> {
  constructor(statements: SystemStatements, ids: IdSource, changes: HealthChanges) {
    super(WEBHOOK_QUEUE, statements, PLAIN_BODIES, ids, changes);
  }
}
