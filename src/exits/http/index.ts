/** What exits over HTTP share: guarded requests, the signatures of Standard Webhooks, retries, and the health of endpoints. */
export {
  HttpDeliveries,
  type DisabledReason,
  type Disabling,
  type EndpointHealthChanges,
  type HttpQueueDefinition,
} from './http-deliveries.js';
export { EndpointCaller, NoAnswerError, type CallRules, type EndpointAnswer } from './endpoint-caller.js';
export { HttpExitDeliveries } from './http-exit-deliveries.js';
export { HttpReports } from './http-reports.js';
export { HTTP_TIMINGS, HttpSenders, HttpTimings } from './http-senders.js';
export {
  HttpTransport,
  type HttpColumns,
  type HttpEndpoint,
  type HttpTrial,
  type SignedRequests,
} from './http-transport.js';
export { OrganizationNetworks } from './organization-networks.js';
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
