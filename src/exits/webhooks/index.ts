/** The part of webhooks that the native door may use. */
export { WEBHOOK_CONTENTS, stateOf, type Webhook, type WebhookSettings } from './endpoints/webhook.js';
export type { AttemptRecord, DeliveryRecord } from './queue/delivery-log.js';
export { SIGNATURE_SCHEMES, toPublicKeyText, toSecretText } from '../http/index.js';
export { WebhookService, type DeliveryAct } from './webhook.service.js';
export { WebhookExit } from './webhook-exit.js';
export { WebhookCommandsModule, WebhooksModule } from './webhooks.module.js';
export { WebhooksErasureModule } from './webhooks-erasure.module.js';
