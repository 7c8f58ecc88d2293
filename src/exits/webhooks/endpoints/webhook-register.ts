import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements, type Statements } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { newWebhookKeys, type WebhookKeys } from '../../http/index.js';
import { toWebhook, WEBHOOK_COLUMNS, type WebhookRow } from './webhook-row.js';
import { MOST_FORMER_KEYS, WEBHOOK_CHANNEL, type FormerKeys, type Webhook, type WebhookSettings } from './webhook.js';

/** Endpoints of one tenant. */
export const MOST_WEBHOOKS = 20;

const OF_TENANT = `select ${WEBHOOK_COLUMNS} from webhooks
  where organization_id = $1 and environment = $2 and deleted_at is null order by created_at, id`;
const SENDING = `select ${WEBHOOK_COLUMNS} from webhooks
  where deleted_at is null and not paused and disabled_at is null order by created_at, id`;
const ANYWHERE = `select ${WEBHOOK_COLUMNS} from webhooks where deleted_at is null
  and ($1::uuid is null or organization_id = $1) and ($2::text is null or environment = $2) order by created_at, id`;
const FIND_ANYWHERE = `select ${WEBHOOK_COLUMNS} from webhooks where id = $1 and deleted_at is null`;
const FIND = `select ${WEBHOOK_COLUMNS} from webhooks where id = $1 and organization_id = $2 and environment = $3 and deleted_at is null`;
/** One caller at a time counts the endpoints of a tenant. */
const ONE_AT_A_TIME = `select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1 || $2, 0))`;
const INSERT = `insert into webhooks (id, organization_id, environment, url, types, content, schemes, secret, signing_seed, created_at, told_full)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $6 = 'full')`;
const UPDATE = `update webhooks set url = $2, types = $3, content = $4, schemes = $5, told_full = told_full or $4 = 'full' where id = $1`;
const PAUSE = `update webhooks set paused = true where id = $1`;
const RESUME = `update webhooks set paused = false, disabled_at = null, disabled_for = null, failing_since = null where id = $1`;
const DELETE = `update webhooks set deleted_at = $2 where id = $1`;
const WAKE = `update webhook_deliveries set next_at = sutura_now(), failures = 0 where webhook_id = $1 and state = 'waiting'`;
/** Nobody sends to a disabled one: its lease only kept others from it. */
const FREE = `update webhook_senders set lease_token = null, lease_until = null where webhook_id = $1`;
/** Senders look at once which endpoints there are. */
const NOTIFY_SENDERS = `select pg_notify('${WEBHOOK_CHANNEL}', '')`;
/** The present keys become the last former ones; $5 to $7 are those before. */
const ROTATE = `update webhooks set previous_secret = secret, previous_seed = signing_seed, previous_until = $2, secret = $3, signing_seed = $4,
    former_secrets = $5, former_seeds = $6, former_until = $7
  where id = $1`;

/** The endpoints of tenants, each reached by its tenant's own transaction alone. */
@Injectable()
export class WebhookRegister {
  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Oldest first, paused and disabled ones included. */
  ofTenant(tenant: Tenant): Promise<Webhook[]> {
    return listed(this.statements, tenant);
  }

  /** As `ofTenant`, in the tenant's own transaction. */
  ofTenantIn(transaction: TenantTransaction): Promise<Webhook[]> {
    return listed(statementsOf(transaction), transaction.tenant);
  }

  /** Of all tenants, or of one organization: for operators alone. */
  async anywhere({ organizationId, environment }: Partial<Tenant>): Promise<Webhook[]> {
    if (organizationId !== undefined && !isCanonicalUuid(organizationId)) return [];
    const { rows } = await this.statements.run<WebhookRow>(ANYWHERE, [organizationId ?? null, environment ?? null]);
    return rows.map(toWebhook);
  }

  /** Of all tenants, without those that are paused or disabled. For senders alone. */
  async sending(): Promise<Webhook[]> {
    return (await this.statements.run<WebhookRow>(SENDING)).rows.map(toWebhook);
  }

  /** `webhook.not_found`. */
  find(tenant: Tenant, id: string): Promise<Webhook> {
    return this.unitOfWork.inTenant(tenant, (transaction) => this.findIn(transaction, id));
  }

  /** Of whichever tenant: for operators alone. `webhook.not_found`. */
  async findAnywhere(id: string): Promise<Webhook> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<WebhookRow>(FIND_ANYWHERE, [id])).rows[0] : undefined;
    if (row === undefined) throw new SuturaError('webhook.not_found');
    return toWebhook(row);
  }

  /** Events that happen from now on are told to it. `webhook.too_many`. */
  create(tenant: Tenant, settings: WebhookSettings): Promise<Webhook> {
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      const { organizationId, environment } = tenant;
      const statements = statementsOf(transaction);
      await statements.run(ONE_AT_A_TIME, [organizationId, environment]);
      const { rows } = await statements.run(OF_TENANT, [organizationId, environment]);
      if (rows.length >= MOST_WEBHOOKS) throw new SuturaError('webhook.too_many');
      const made = { id: this.ids.next(), keys: newWebhookKeys(), createdAt: this.clock.now() };
      const { url, types, content, schemes } = settings;
      const { secret, seed } = made.keys;
      await statements.run(INSERT, [
        made.id,
        organizationId,
        environment,
        url,
        types,
        content,
        schemes,
        secret,
        seed,
        made.createdAt,
      ]);
      return this.findIn(transaction, made.id);
    });
  }

  /** Deliveries that were made before keep their bodies and go where it points now. `webhook.not_found`. */
  change(tenant: Tenant, id: string, changes: Partial<WebhookSettings>): Promise<Webhook> {
    return this.changed(tenant, id, (found) => {
      const { url, types, content, schemes } = { ...found, ...changes };
      return [[UPDATE, url, types, content, schemes]];
    });
  }

  /** Deliveries are made and wait. `webhook.not_found`. */
  pause(tenant: Tenant, id: string): Promise<Webhook> {
    return this.changed(tenant, id, () => [[PAUSE]]);
  }

  /** What waits is delivered; a disabled endpoint counts as healthy again. `webhook.not_found`. */
  resume(tenant: Tenant, id: string): Promise<Webhook> {
    return this.changed(tenant, id, ({ disabled }) => [
      [RESUME],
      [WAKE],
      ...(disabled === null ? [] : [[FREE] as const]),
    ]);
  }

  /**
   * New keys; the present ones sign as well for so long, and those before until their own time. 0 s: no former ones sign from now on.
   * `webhook.not_found`, `webhook.too_many_keys`.
   */
  rotate(tenant: Tenant, id: string, overlapS: number): Promise<Webhook> {
    const { secret, seed }: WebhookKeys = newWebhookKeys();
    const now = this.clock.now();
    const until = new Date(now.getTime() + overlapS * 1000);
    return this.changed(tenant, id, ({ former }) => {
      const before = overlapS === 0 ? [] : former.filter((one) => one.until > now);
      if (before.length >= MOST_FORMER_KEYS) throw tooManyKeys(before, now);
      const [secrets, seeds] = [before.map(({ keys }) => keys.secret), before.map(({ keys }) => keys.seed)];
      return [[ROTATE, until, secret, seed, secrets, seeds, before.map((one) => one.until)]];
    });
  }

  /** One that `findIn` locked. What waits for it is left to the caller. */
  async delete(transaction: TenantTransaction, id: string): Promise<void> {
    await statementsOf(transaction).run(DELETE, [id, this.clock.now()]);
    await statementsOf(transaction).run(NOTIFY_SENDERS);
  }

  /** Within a transaction. `webhook.not_found` for an unknown, malformed or another tenant's id. */
  async findIn(transaction: TenantTransaction, id: string, lock = false): Promise<Webhook> {
    const { organizationId, environment } = transaction.tenant;
    const sql = lock ? `${FIND} for no key update` : FIND;
    const row = isCanonicalUuid(id)
      ? (await statementsOf(transaction).run<WebhookRow>(sql, [id, organizationId, environment])).rows[0]
      : undefined;
    if (row === undefined) throw new SuturaError('webhook.not_found');
    return toWebhook(row);
  }

  private changed(
    tenant: Tenant,
    id: string,
    change: (found: Webhook) => readonly (readonly [sql: string, ...values: readonly unknown[]])[],
  ): Promise<Webhook> {
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      for (const [sql, ...values] of change(await this.findIn(transaction, id, true)))
        await statementsOf(transaction).run(sql, [id, ...values]);
      await statementsOf(transaction).run(NOTIFY_SENDERS);
      return this.findIn(transaction, id);
    });
  }
}

function tooManyKeys(former: readonly FormerKeys[], now: Date): SuturaError {
  const firstEnd = Math.min(...former.map(({ until }) => until.getTime()));
  return new SuturaError('webhook.too_many_keys', { retryAfterS: (firstEnd - now.getTime()) / 1000 });
}

async function listed(
  statements: Pick<Statements, 'runPrepared'>,
  { organizationId, environment }: Tenant,
): Promise<Webhook[]> {
  const { rows } = await statements.runPrepared<WebhookRow>(OF_TENANT, [organizationId, environment]);
  return rows.map(toWebhook);
}
