import type { DisabledReason, WebhookKeys } from '../../http/index.js';
import type { FormerKeys, Webhook } from './webhook.js';

export const WEBHOOK_COLUMNS = `id, organization_id as "organizationId", environment, url, types, content, told_full as "toldFull", schemes, secret, signing_seed as seed,
  previous_secret as "previousSecret", previous_seed as "previousSeed", previous_until as "previousUntil", former_secrets as "formerSecrets",
  former_seeds as "formerSeeds", former_until as "formerUntil", paused, disabled_at as "disabledAt", disabled_for as "disabledFor",
  failing_since as "failingSince", created_at as "createdAt"`;

export interface WebhookRow extends Omit<Webhook, 'keys' | 'former' | 'disabled'>, WebhookKeys {
  readonly previousSecret: Buffer | null;
  readonly previousSeed: Buffer | null;
  readonly previousUntil: Date | null;
  readonly formerSecrets: Buffer[];
  readonly formerSeeds: Buffer[];
  readonly formerUntil: Date[];
  readonly disabledAt: Date | null;
  readonly disabledFor: DisabledReason | null;
}

export function toWebhook(row: WebhookRow): Webhook {
  const { id, organizationId, environment, url, types, content, schemes, paused, failingSince, createdAt } = row;
  const { secret, seed, toldFull, disabledAt: at, disabledFor: reason } = row;
  return {
    id,
    organizationId,
    environment,
    url,
    types,
    content,
    toldFull,
    schemes,
    paused,
    keys: { secret, seed },
    former: formerOf(row),
    disabled: at === null || reason === null ? null : { at, reason },
    failingSince,
    createdAt,
  };
}

function formerOf({
  previousSecret: secret,
  previousSeed: seed,
  previousUntil: until,
  ...row
}: WebhookRow): FormerKeys[] {
  const last = secret === null || seed === null || until === null ? [] : [{ keys: { secret, seed }, until }];
  const earlier = row.formerUntil.map((end, index) => ({
    keys: { secret: row.formerSecrets[index]!, seed: row.formerSeeds[index]! },
    until: end,
  }));
  return [...last, ...earlier];
}
