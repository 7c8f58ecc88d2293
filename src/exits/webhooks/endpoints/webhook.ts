import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { DisabledReason, SignatureScheme, WebhookKeys } from '../../http/index.js';

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

/** More would make the header of an event longer than receivers take. */
export const MOST_FORMER_KEYS = 4;

/** Keys that others took the place of. */
export interface FormerKeys {
  readonly keys: WebhookKeys;
  readonly until: Date;
}

/** An address of a tenant that is told of events. */
export interface Webhook extends Tenant, WebhookSettings {
  readonly id: string;
  /** Events with their content may be kept, of now or of before. */
  readonly toldFull: boolean;
  readonly keys: WebhookKeys;
  /** Keys of earlier rotations, newest first; each also signs until its time. */
  readonly former: readonly FormerKeys[];
  /** By its owner: deliveries are made and wait. */
  readonly paused: boolean;
  /** By the service: deliveries are made and wait until its owner resumes it. */
  readonly disabled: { readonly at: Date; readonly reason: DisabledReason } | null;
  /** The first failure since the last delivery. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

/** The keys that sign at this moment, the present ones first. */
export function signingKeysOf({ keys, former }: Pick<Webhook, 'keys' | 'former'>, now: Date): WebhookKeys[] {
  return [keys, ...former.filter(({ until }) => until > now).map((one) => one.keys)];
}

export function takesType({ types }: Pick<WebhookSettings, 'types'>, type: WebhookEventType): boolean {
  return types.length === 0 || types.includes(type);
}

export function stateOf({ paused, disabled }: Pick<Webhook, 'paused' | 'disabled'>): 'active' | 'paused' | 'disabled' {
  if (disabled !== null) return 'disabled';
  return paused ? 'paused' : 'active';
}
