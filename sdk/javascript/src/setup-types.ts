import type { CallOptions } from './index.js';

/** `ids`: ids of the service, codes and figures. `full`: your own ids, names and clinical text as well. */
export type WebhookContent = 'ids' | 'full';
/** `v1`: HMAC-SHA256 with the secret. `v1a`: ed25519, checked with the public key. */
export type WebhookSignature = 'v1' | 'v1a';

/** What an endpoint is told. */
export interface WebhookInput {
  url: string;
  /** All if absent. */
  types?: string[];
  /** `ids` if absent. */
  content?: WebhookContent;
  signatures?: WebhookSignature[];
}

/** An address that is told of events. `types` empty: all, those of later releases too. */
export interface Webhook {
  id: string;
  url: string;
  types: string[];
  content: string;
  signatures: string[];
  /** `active`, `paused` (by you) or `disabled` (by the service: `disabledFor` is `gone` or `failing`); events wait until it is resumed. */
  state: string;
  disabledAt: string | null;
  disabledFor: string | null;
  failingSince: string | null;
  publicKey: string;
  /** So long the keys before the last rotation sign as well. */
  previousKeysUntil: string | null;
  createdAt: string;
}

/** With its new secret, which is shown this once: keep it for `verifyWebhook`. */
export interface WebhookWithSecret extends Webhook {
  secret: string;
}

/** How an endpoint answered a test event; `fault` says as a code why there was no answer. */
export interface WebhookTrial {
  delivered: boolean;
  statusCode: number | null;
  fault: string | null;
  durationMs: number;
}

/** An event on its way. `eventId` is the `webhook-id` of every attempt. */
export interface WebhookDelivery {
  id: string;
  eventId: string;
  type: string;
  sequence: number;
  /** `waiting`, `delivered`, `parked`, `discarded`, `collapsed` or `moved`; more may come. */
  state: string;
  attempts: number;
  statusCode: number | null;
  fault: string | null;
  createdAt: string;
  /** While it waits, when it is tried again at the earliest. */
  nextAt: string | null;
  deliveredAt: string | null;
}

/** One try; `answer` is the beginning of what the receiver said. */
export interface DeliveryAttempt {
  at: string;
  statusCode: number | null;
  fault: string | null;
  durationMs: number;
  delivered: boolean;
  answer: string | null;
}

/** A delivery with its body as it is sent, and every attempt, oldest first. */
export interface WebhookDeliveryDetail extends WebhookDelivery {
  body: Record<string, unknown>;
  log: DeliveryAttempt[];
}

/** One page of a list. */
export interface SetupPage<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface DeliveryFilter extends CallOptions {
  webhookId: string;
  state?: string;
  limit?: number;
}

/** One thing that waits for a person. `actions`: what can be done with it; none: it goes on by itself. */
export interface Held {
  id: string;
  environment: string;
  /** Words of later releases may come. */
  reason: string;
  since: string;
  /** `rest`, `fhir`, `hl7v2` or `ehr`; null: it came through several. */
  door: string | null;
  came: Record<'messageIds' | 'resources' | 'jobIds' | 'imageIds' | 'patientIds' | 'orders', string[]>;
  /** What a person has to decide, in words. */
  waitsFor: string;
  actions: string[];
}

export interface HeldFilter extends CallOptions {
  reason?: string;
  olderThanS?: number;
  limit?: number;
}

/** What a person decided about what waits. */
export interface HeldDecision {
  action: string;
  authority?: string;
  to?: string;
  note?: string;
}

/** A model of the installation. `researchOnly`: its licence forbids the use on patients. */
export interface Model {
  name: string;
  version: string;
  task: string;
  variant: string | null;
  sha256: string;
  active: boolean;
  researchOnly: boolean;
  licence: string;
  metrics: Record<string, unknown> | null;
  card: string | null;
  links: { fhirModelCard: string };
}

export type CardSize = 'a4' | 'credit-card';

/** One size of card. `measuredBarMm` null: it counts as printed at 100 %. */
export interface CalibrationCard {
  size: string;
  barMm: number;
  measuredBarMm: number | null;
  measuredAt: string | null;
}
