/** What exits over HTTP share: guarded posts, the signatures of Standard Webhooks, and endpoints that fall ill or recover. */
export {
  HttpDeliveries,
  type DisabledReason,
  type EndpointHealthChanges,
  type HttpQueueDefinition,
} from './http-deliveries.js';
export {
  EndpointCaller,
  NoAnswerError as NoAnswerError,
  meaningOf,
  type CallRules,
  type EndpointAnswer,
  type EndpointCall,
} from './endpoint-caller.js';
export { KeptConnections } from './kept-connections.js';
export {
  newWebhookKeys,
  SIGNATURE_SCHEMES,
  sharedSignatureOf,
  signaturesOf,
  toPublicKeyText,
  toSecretText,
  type SignatureScheme,
  type WebhookKeys,
} from './standard-webhook.js';
