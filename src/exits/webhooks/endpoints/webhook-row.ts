import type { Environment } from '../../../core/tenancy/tenant.js';
import type { DisabledReason, SignatureScheme } from '../../http/index.js';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import type { FormerKeys, Webhook, WebhookContent } from './webhook.js';

export const WEBHOOK_COLUMNS = `id, organization_id, environment, url, types, content, told_full, schemes, secret, signing_seed,
  previous_secret, previous_seed, previous_until, former_secrets, former_seeds, former_until, paused, disabled_at, disabled_for, failing_since, created_at`;

export interface WebhookRow {
  readonly id: string;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly url: string;
  readonly types: WebhookEventType[];
  readonly content: WebhookContent;
  readonly told_full: boolean;
  readonly schemes: SignatureScheme[];
  readonly secret: Buffer;
  readonly signing_seed: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_seed: Buffer | null;
  readonly previous_until: Date | null;
  readonly former_secrets: Buffer[];
  readonly former_seeds: Buffer[];
  readonly former_until: Date[];
  readonly paused: boolean;
  readonly disabled_at: Date | null;
  readonly disabled_for: DisabledReason | null;
  readonly failing_since: Date | null;
  readonly created_at: Date;
}

export function toWebhook(row: WebhookRow): Webhook {
  const { id, environment, url, types, content, schemes, paused } = row;
  const [at, reason] = [row.disabled_at, row.disabled_for];
  return {
    id,
    organizationId: row.organization_id,
    environment,
    url,
    types,
    content,
    toldFull: row.told_full,
    schemes,
    paused,
    keys: { secret: row.secret, seed: row.signing_seed },
    former: formerOf(row),
    disabled: at === null || reason === null ? null : { at, reason },
    failingSince: row.failing_since,
    createdAt: row.created_at,
  };
}

function formerOf(row: WebhookRow): FormerKeys[] {
  const [secret, seed, until] = [row.previous_secret, row.previous_seed, row.previous_until];
  const last = secret === null || seed === null || until === null ? [] : [{ keys: { secret, seed }, until }];
  const earlier = row.former_until.map((end, index) => ({
    keys: { secret: row.former_secrets[index]!, seed: row.former_seeds[index]! },
    until: end,
  }));
  return [...last, ...earlier];
}
