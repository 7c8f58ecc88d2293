export { SuturaClient } from './client.js';
export * from './errors.js';
export type * from './events.js';
export type * from './follow-up.js';
export type * from './follow-up-options.js';
export type * from './options.js';
export type * from './resources.js';
export type * from './result.js';
export { verifyWebhook, type WebhookHeaders } from './webhook.js';
