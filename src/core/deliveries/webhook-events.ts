/** The types of webhook events. Published names: a type always has one schema (docs/webhooks.md). */
export const WEBHOOK_EVENT_TYPES = [
  'analysis.completed',
  'analysis.failed',
  'report.ready',
  'report.amended',
  'report.reviewed',
  'wound.opened',
  'wound.closed',
  'wound.attention',
  'quota.threshold',
  'endpoint.disabled',
  'delivery.recovered',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];
