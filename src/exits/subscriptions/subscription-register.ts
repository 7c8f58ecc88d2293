import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Clock } from '../../core/ports/clock.js';
import { UnitOfWork, type TenantTransaction, type Transaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { notPossible } from '../../standards/fhir/outcome/outcome-error.js';
import { selectSubscriptions, toKept, type SubscriptionRow } from './subscription-row.js';
import { SUBSCRIPTION_CHANNEL, SubscriptionQueue } from './subscription-queue.js';
import { isGivenUp, toAsked, type KeptSubscription } from './subscription.js';
import type { SubscriptionRequest } from './subscription-request.js';

/** Each has a sender in every process, which bounds their number. */
const MOST_SUBSCRIPTIONS = 50;

const OF_TENANT = `s.organization_id = $1 and s.environment = $2 and s.deleted_at is null`;
const RUNS = `s.deleted_at is null and not s.is_off and (s.ends_at is null or s.ends_at > $1)`;
const LIST = `${selectSubscriptions(OF_TENANT)} order by s.created_at, s.id`;
const SENDING = `${selectSubscriptions(`${RUNS} and s.disabled_at is null and not s.paused`)} order by s.id`;
const ACTIVE = `${selectSubscriptions(`${RUNS} and s.organization_id = $2 and s.environment = $3`)} order by s.id`;
const HAS_ANY = `select exists (select from fhir_subscriptions where organization_id = $1 and environment = $2 and deleted_at is null and not is_off) as found`;
const JOINED = `select id from patients where organization_id = $1 and environment = $2 and merged_into = $3`;
const FIND = selectSubscriptions(`${OF_TENANT} and s.id = $3`);
const FIND_ANYWHERE = selectSubscriptions('s.deleted_at is null and s.id = $1');
const ANYWHERE = `${selectSubscriptions(`s.deleted_at is null and not s.is_off and ($1::uuid is null or s.organization_id = $1)
  and ($2::text is null or s.environment = $2)`)} order by s.created_at, s.id`;
const PAUSE = `update fhir_subscriptions set paused = true where id = $1`;
const RESUME = `update fhir_subscriptions set paused = false, disabled_at = null, disabled_for = null, failing_since = null where id = $1`;
const ONE_AT_A_TIME = `select pg_advisory_xact_lock(hashtextextended('fhir_subscriptions ' || $1 || ' ' || $2, 0))`;
const INSERT = `insert into fhir_subscriptions (id, organization_id, environment, asked, base, topic, resource_type, filters, content, url, headers,
    timeout_s, heartbeat_s, max_count, is_off, ends_at, secret, version, told_from, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 1, $18, $18, $18)`;
const LOCK = `select from fhir_subscriptions where id = $1 and deleted_at is null for no key update`;
const UPDATE = `update fhir_subscriptions set asked = $2, base = $3, filters = $4, url = $5, headers = $6, timeout_s = $7, heartbeat_s = $8,
    max_count = $9, is_off = $10, ends_at = $11, told_from = $12, updated_at = $13, version = version + 1,
    disabled_at = null, disabled_for = null, failing_since = null where id = $1`;
/** Before all that waits: its number is the first. */
const SHAKE_AGAIN = `update fhir_subscription_deliveries set state = 'waiting', body = $2::bytea, size_bytes = octet_length($2::bytea), next_at = sutura_now(), failures = 0,
    refusals = 0, parked_for = null, fault = null, status_code = null, duration_ms = null, answer = null where subscription_id = $1 and number = 1`;
const WAKE = `update fhir_subscription_deliveries set next_at = sutura_now(), failures = 0 where subscription_id = $1 and state = 'waiting'`;
/** Nobody sends to a disabled one: its lease only kept others from it. */
const FREE = `update fhir_subscription_senders set lease_token = null, lease_until = null where subscription_id = $1`;
const DELETE = `update fhir_subscriptions set deleted_at = $2, headers = '{}' where id = $1`;
const DISCARD = `update fhir_subscription_deliveries set state = 'discarded' where subscription_id = $1 and state in ('waiting', 'parked')`;
/** Senders look at once which subscriptions there are. */
const NOTIFY_SENDERS = `select pg_notify('${SUBSCRIPTION_CHANNEL}', $1)`;

/** What a client asks for, with the resource that says it. */
export interface AskedSubscription {
  readonly sent: KeptSubscription['asked'];
  readonly request: SubscriptionRequest;
  readonly base: string;
}

/** The Subscriptions of tenants, each reached by its tenant's own transaction alone. */
@Injectable()
export class SubscriptionRegister {
  constructor(
    private readonly statements: SystemStatements,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: SubscriptionQueue,
    private readonly clock: Clock,
  ) {}

  /** Until the transaction ends nobody else makes a Subscription of the tenant. */
  async alone(transaction: TenantTransaction): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(ONE_AT_A_TIME, [organizationId, environment]);
  }

  /** Of all tenants, without those that nothing is sent to. For senders alone. */
  async sending(): Promise<KeptSubscription[]> {
    return (await this.statements.run<SubscriptionRow>(SENDING, [this.clock.now()])).rows.map(toKept);
  }

  /** Those that notifications are made for, ordered by id, including disabled ones. */
  async active({ organizationId, environment }: Tenant): Promise<KeptSubscription[]> {
    // Nearly every event of every tenant asks this: planned once, and of one table.
    const { rows: any } = await this.statements.runPrepared<{ found: boolean }>(HAS_ANY, [organizationId, environment]);
    if (any[0]?.found !== true) return [];
    const values = [this.clock.now(), organizationId, environment];
    return (await this.statements.run<SubscriptionRow>(ACTIVE, values)).rows.map(toKept);
  }

  /** Patients whose records were joined into this one: a filter that names one of them means this one from then on. */
  async joinedInto(transaction: TenantTransaction, patientId: string): Promise<readonly string[]> {
    if (!isCanonicalUuid(patientId)) return [];
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, patientId];
    return (await statementsOf(transaction).run<{ id: string }>(JOINED, values)).rows.map(({ id }) => id);
  }

  /** Of all tenants, or of one organization, without those that their owners turned off: for operators alone. */
  async anywhere({ organizationId, environment }: Partial<Tenant>): Promise<KeptSubscription[]> {
    if (organizationId !== undefined && !isCanonicalUuid(organizationId)) return [];
    const values = [organizationId ?? null, environment ?? null];
    return (await this.statements.run<SubscriptionRow>(ANYWHERE, values)).rows.map(toKept);
  }

  /** Of whichever tenant: for operators alone. null: there is none of this id. */
  async findAnywhere(id: string): Promise<KeptSubscription | null> {
    const row = isCanonicalUuid(id)
      ? (await this.statements.run<SubscriptionRow>(FIND_ANYWHERE, [id])).rows[0]
      : undefined;
    return row === undefined ? null : toKept(row);
  }

  /** Notifications are made and wait. For operators alone. */
  async pause(id: string): Promise<void> {
    await this.statements.run(PAUSE, [id]);
    await this.statements.run(NOTIFY_SENDERS, ['']);
  }

  /**
   * What waits is sent; a disabled one counts as healthy again. One that is disabled, or whose handshake was given up, begins with a new handshake.
   * For operators alone.
   */
  async resume(id: string): Promise<void> {
    await this.unitOfWork.inSystem(async (transaction) => {
      const statements = statementsOf(transaction);
      await statements.run(LOCK, [id]);
      const row = (await statements.run<SubscriptionRow>(FIND_ANYWHERE, [id])).rows[0];
      if (row === undefined) return;
      const found = toKept(row);
      await statements.run(RESUME, [id]);
      await this.wake(transaction, found, found.disabled, isGivenUp(found));
    });
  }

  /** Oldest first. */
  async list(transaction: TenantTransaction): Promise<KeptSubscription[]> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<SubscriptionRow>(LIST, [organizationId, environment]);
    return rows.map(toKept);
  }

  /** `fhir.not_found` for an unknown, malformed or another tenant's id. */
  async find(transaction: TenantTransaction, id: string): Promise<KeptSubscription> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, id];
    const row = isCanonicalUuid(id)
      ? (await statementsOf(transaction).run<SubscriptionRow>(FIND, values)).rows[0]
      : undefined;
    if (row === undefined) throw new SuturaError('fhir.not_found');
    return toKept(row);
  }

  /** With its handshake, which is sent once the transaction is committed. `fhir.business_rule` where there are too many. */
  async create(
    transaction: TenantTransaction,
    made: AskedSubscription & { readonly id: string; readonly secret: Buffer },
  ): Promise<KeptSubscription> {
    const { organizationId, environment } = transaction.tenant;
    const statements = statementsOf(transaction);
    await statements.run(ONE_AT_A_TIME, [organizationId, environment]);
    if ((await this.list(transaction)).length >= MOST_SUBSCRIPTIONS)
      throw notPossible(
        'Subscription',
        `An organization has at most ${MOST_SUBSCRIPTIONS} Subscriptions in each environment. Delete one that is no longer used.`,
      );
    const { id, sent, request, base, secret } = made;
    const { topic, channel, filters, isOff, endsAt } = request;
    await statements.run(INSERT, [
      id,
      organizationId,
      environment,
      JSON.stringify(toAsked(sent)),
      base,
      topic.url,
      topic.resourceType,
      JSON.stringify(filters),
      channel.content,
      channel.endpoint,
      channel.headers,
      channel.timeoutS,
      channel.heartbeatS,
      channel.maxCount,
      isOff,
      endsAt,
      secret,
      this.clock.now(),
    ]);
    const created = await this.find(transaction, id);
    await this.queue.enqueueHandshake(transaction, created);
    return this.find(transaction, id);
  }

  /** Locked until the transaction ends. As `find`. */
  async findForUpdate(transaction: TenantTransaction, id: string): Promise<KeptSubscription> {
    await this.find(transaction, id);
    await statementsOf(transaction).run(LOCK, [id]);
    return this.find(transaction, id);
  }

  /**
   * The next version. Waiting notifications go to its present address, after a new handshake if that changed, or if it was off or in error.
   * With other filters it tells of nothing that happened before.
   */
  async change(
    transaction: TenantTransaction,
    current: KeptSubscription,
    { sent, request, base }: AskedSubscription,
  ): Promise<KeptSubscription> {
    const now = this.clock.now();
    const { id } = current;
    const before = current.request;
    const { channel, filters, isOff, endsAt } = request;
    const changesEvents = JSON.stringify(filters) !== JSON.stringify(before.filters) || before.isOff !== isOff;
    const statements = statementsOf(transaction);
    await statements.run(UPDATE, [
      id,
      JSON.stringify(toAsked(sent)),
      base,
      JSON.stringify(filters),
      channel.endpoint,
      channel.headers,
      channel.timeoutS,
      channel.heartbeatS,
      channel.maxCount,
      isOff,
      endsAt,
      changesEvents ? now : current.eventsFrom,
      now,
    ]);
    const changed = await this.find(transaction, id);
    const goesElsewhere =
      channel.endpoint !== before.channel.endpoint ||
      JSON.stringify(channel.headers) !== JSON.stringify(before.channel.headers);
    const beginsAnew = before.isOff || current.disabled !== null || current.facts.handshake !== 'accepted';
    if (goesElsewhere || beginsAnew) await this.wake(transaction, changed, current.disabled, true);
    else await statements.run(NOTIFY_SENDERS, ['']);
    return this.find(transaction, id);
  }

  /** What waits is sent now, behind a new handshake where there is to be one. */
  private async wake(
    transaction: Transaction,
    subscription: KeptSubscription,
    wasDisabled: KeptSubscription['disabled'],
    shakesAgain: boolean,
  ): Promise<void> {
    const statements = statementsOf(transaction);
    const { id } = subscription;
    if (shakesAgain) await statements.run(SHAKE_AGAIN, [id, this.queue.handshakeOf(subscription)]);
    await statements.run(WAKE, [id]);
    if (wasDisabled !== null) await statements.run(FREE, [id]);
    await statements.run(NOTIFY_SENDERS, ['']);
  }

  /** One that `findForUpdate` found. What waits for it, or is being made at this moment, is never sent; its headers are forgotten. */
  async delete(transaction: TenantTransaction, id: string): Promise<void> {
    const statements = statementsOf(transaction);
    await this.queue.close(transaction, { id, ...transaction.tenant });
    await statements.run(DELETE, [id, this.clock.now()]);
    await statements.run(DISCARD, [id]);
    await statements.run(NOTIFY_SENDERS, ['']);
  }
}
