/** The part of webhooks that the native door may use. */
export {
  WEBHOOK_CONTENTS,
  WEBHOOK_EVENT_TYPES,
  type Webhook,
  type WebhookEventType,
  type WebhookSettings,
} from './endpoints/webhook.js';
export type { AttemptRecord, DeliveryRecord } from './queue/delivery-log.js';
export { SIGNATURE_SCHEMES, toPublicKeyText, toSecretText } from './signing/standard-webhook.js';
export { WebhookService, type WebhookTrial } from './webhook.service.js';
export { WebhooksModule } from './webhooks.module.js';
