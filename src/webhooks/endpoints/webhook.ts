import type { Tenant } from '../../core/tenancy/tenant.js';
import type { DisabledReason, SignatureScheme, WebhookKeys } from '../../deliveries/index.js';

/** Events that are told. A type always has one schema (docs/webhooks.md). */
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

/** Senders hear there of deliveries, by the id of their endpoint, and of endpoints that changed, by an empty text. */
export const WEBHOOK_CHANNEL = 'sutura_webhooks_out';

/** `ids`: ids of this service, codes and figures. `full`: also the caller's own ids of patient and wound, and clinical text. */
export const WEBHOOK_CONTENTS = ['ids', 'full'] as const;
export type WebhookContent = (typeof WEBHOOK_CONTENTS)[number];

/** The parts of an endpoint that its owner chooses. */
export interface WebhookSettings {
  readonly url: string;
  /** Empty: every type, those of later releases too. */
  readonly types: readonly WebhookEventType[];
  readonly content: WebhookContent;
  readonly schemes: readonly SignatureScheme[];
}

/** An address of a tenant that is told of events. */
export interface Webhook extends Tenant, WebhookSettings {
  readonly id: string;
  readonly keys: WebhookKeys;
  /** Sign as well until then, after a rotation. */
  readonly previous: { readonly keys: WebhookKeys; readonly until: Date } | null;
  /** By its owner: deliveries are made and wait. */
  readonly paused: boolean;
  /** By the service: deliveries are made and wait until its owner resumes it. */
  readonly disabled: { readonly at: Date; readonly reason: DisabledReason } | null;
  /** The first failure since the last delivery. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

/** The keys that sign at this moment, the present ones first. */
export function signingKeysOf({ keys, previous }: Pick<Webhook, 'keys' | 'previous'>, now: Date): WebhookKeys[] {
  return previous === null || previous.until <= now ? [keys] : [keys, previous.keys];
}

export function takesType({ types }: Pick<WebhookSettings, 'types'>, type: WebhookEventType): boolean {
  return types.length === 0 || types.includes(type);
}

export function stateOf({ paused, disabled }: Pick<Webhook, 'paused' | 'disabled'>): 'active' | 'paused' | 'disabled' {
  if (disabled !== null) return 'disabled';
  return paused ? 'paused' : 'active';
}
