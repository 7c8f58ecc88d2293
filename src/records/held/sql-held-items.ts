import { Injectable } from '@nestjs/common';
import { HeldItems, MOST_NAMED, type HeldDecision, type NewHeldItem } from '../../core/held/held-items.js';
import type {
  HeldActor,
  HeldCount,
  HeldItem,
  HeldReason,
  HeldResolution,
  HeldThings,
} from '../../core/held/held-item.js';
import type { HeldPage } from '../../core/held/held-source.js';
import type { SystemTransaction, TenantTransaction } from '../../core/ports/unit-of-work.js';
import { isCanonicalUuid, toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const COLUMNS = `id, organization_id as "organizationId", environment, reason, door, came, waits_for as "waitsFor", actions, since`;
const OF_TENANT = 'organization_id = $1 and environment = $2';
/** Whoever holds or decides about what came with one key waits for the others that do. */
const LOCK_KEY = `select pg_advisory_xact_lock(hashtextextended('held ' || $1 || $2 || encode($3, 'hex'), 0))`;
const STANDING = `select id as "itemId", key, resolution from held_items
  where ${OF_TENANT} and key = $3 and settled_at is not null and resolution ->> 'action' = 'another' order by settled_at desc, id desc limit 1`;
const JOINED = `select id, came from held_items where ${OF_TENANT} and key = $3 and settled_at is null for update`;
const ADD = `update held_items set came = $2 where id = $1`;
const INSERT = `insert into held_items (organization_id, environment, id, reason, door, key, came, waits_for, actions, sandbox, repeat_key, since)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, date_trunc('milliseconds', sutura_now()))`;
const OPEN = `select ${COLUMNS} from held_items
  where ${OF_TENANT} and settled_at is null and reason = any ($3) and ($4::float8 is null or since <= sutura_now() - make_interval(secs => $4))
    and ($5::timestamptz is null or (since, id::text collate "C") > ($5, $6))
  order by since, id limit $7`;
const FIND = `select ${COLUMNS} from held_items where ${OF_TENANT} and id = $3 and settled_at is null and reason = any ($4)`;
const KEY_OF = `select key from held_items where ${OF_TENANT} and id = $3`;
const SETTLE = `update held_items set settled_at = sutura_now(), resolution = $4, settled_by = $5, settled_person = $6
  where ${OF_TENANT} and id = $3 and settled_at is null`;
const NOTE_RECORD = `update held_items set came = jsonb_set(came, '{patientIds}', (came -> 'patientIds') || to_jsonb($4::text))
  where ${OF_TENANT} and id = $3 and not came -> 'patientIds' ? $4::text`;
const DECISION = `select id as "itemId", key, resolution from held_items where ${OF_TENANT} and id = $3 and settled_at is not null`;
const NEWEST = `select id as "itemId", resolution from held_items where ${OF_TENANT} and (key = $3 or repeat_key = $4) order by since desc, id desc limit 1`;
const COUNT = `select organization_id as "organizationId", environment, reason, count(*)::int as items, min(since) as "oldestSince"
  from held_items where settled_at is null and sandbox is null and reason = any ($1) group by 1, 2, 3`;
const LOCK_SANDBOX = `select pg_advisory_xact_lock(hashtextextended('held sandbox ' || $1 || $2, 0))`;
const OPEN_OF_SANDBOX = `select count(*)::int as items from held_items where ${OF_TENANT} and settled_at is null and sandbox is not null`;
const REMOVE_OF_SANDBOX = `delete from held_items where sandbox is not null and settled_at < sutura_now() - make_interval(days => $1)`;

@Injectable()
export class SqlHeldItems extends HeldItems {
  async hold(
    transaction: TenantTransaction,
    item: NewHeldItem,
    considered: string | null,
  ): Promise<string | HeldDecision> {
    const { id, reason, door, came, waitsFor, actions } = item;
    const statements = statementsOf(transaction);
    const key = item.key === null ? null : Buffer.from(item.key);
    if (key !== null) {
      const place = [...tenantValues(transaction), key];
      await statements.run(LOCK_KEY, place);
      const decided = (await statements.run<HeldDecision>(STANDING, place)).rows[0];
      if (decided !== undefined && decided.itemId !== considered) return decided;
      const joined = (await statements.run<{ id: string; came: HeldThings }>(JOINED, place)).rows[0];
      if (joined !== undefined) {
        await statements.run(ADD, [joined.id, toJsonb(joinedThings(joined.came, came))]);
        return joined.id;
      }
    }
    const repeatKey = item.repeatKey === undefined ? null : Buffer.from(item.repeatKey);
    const values = [id, reason, door, key, toJsonb(came), waitsFor, [...actions], item.sandbox ?? null, repeatKey];
    await statements.run(INSERT, [...tenantValues(transaction), ...values]);
    return id;
  }

  async open(
    transaction: TenantTransaction,
    reasons: readonly HeldReason[],
    { reason, olderThanS, after, limit }: HeldPage,
  ): Promise<readonly HeldItem[]> {
    const wanted = reason === null ? [...reasons] : [reason];
    const values = [wanted, olderThanS, after?.since ?? null, after?.id ?? '', limit];
    return (await statementsOf(transaction).run<HeldItem>(OPEN, [...tenantValues(transaction), ...values])).rows;
  }

  async find(transaction: TenantTransaction, reasons: readonly HeldReason[], id: string): Promise<HeldItem | null> {
    if (!isCanonicalUuid(id)) return null;
    const values = [...tenantValues(transaction), id, [...reasons]];
    return (await statementsOf(transaction).run<HeldItem>(FIND, values)).rows[0] ?? null;
  }

  async settle(
    transaction: TenantTransaction,
    id: string,
    resolution: HeldResolution,
    { name, person }: HeldActor,
  ): Promise<boolean> {
    const statements = statementsOf(transaction);
    const place = tenantValues(transaction);
    const row = (await statements.run<{ key: Buffer | null }>(KEY_OF, [...place, id])).rows[0];
    if (row === undefined) return false;
    if (row.key !== null) await statements.run(LOCK_KEY, [...place, row.key]);
    const values = [...place, id, toJsonb(resolution), name, person ?? null];
    return (await statements.run(SETTLE, values)).affected > 0;
  }

  async lockedDecision(transaction: TenantTransaction, id: string): Promise<HeldDecision | null> {
    const statements = statementsOf(transaction);
    const place = tenantValues(transaction);
    const key = (await statements.run<{ key: Buffer | null }>(KEY_OF, [...place, id])).rows[0]?.key ?? null;
    if (key !== null) await statements.run(LOCK_KEY, [...place, key]);
    return this.decision(transaction, id);
  }

  async newest(
    transaction: TenantTransaction,
    key: Uint8Array,
    repeatKey: Uint8Array | null,
  ): Promise<{ readonly itemId: string; readonly resolution: HeldResolution | null } | null> {
    const values = [...tenantValues(transaction), Buffer.from(key), repeatKey === null ? null : Buffer.from(repeatKey)];
    const { rows } = await statementsOf(transaction).run<{ itemId: string; resolution: HeldResolution | null }>(
      NEWEST,
      values,
    );
    return rows[0] ?? null;
  }

  async noteRecord(transaction: TenantTransaction, id: string, patientId: string): Promise<void> {
    await statementsOf(transaction).run(NOTE_RECORD, [...tenantValues(transaction), id, patientId]);
  }

  async decision(transaction: TenantTransaction, id: string): Promise<HeldDecision | null> {
    const values = [...tenantValues(transaction), id];
    return (await statementsOf(transaction).run<HeldDecision>(DECISION, values)).rows[0] ?? null;
  }

  async standing(transaction: TenantTransaction, key: Uint8Array): Promise<HeldDecision | null> {
    const values = [...tenantValues(transaction), Buffer.from(key)];
    return (await statementsOf(transaction).run<HeldDecision>(STANDING, values)).rows[0] ?? null;
  }

  async openOfSandbox(transaction: TenantTransaction): Promise<number> {
    const statements = statementsOf(transaction);
    await statements.run(LOCK_SANDBOX, tenantValues(transaction));
    return (await statements.run<{ items: number }>(OPEN_OF_SANDBOX, tenantValues(transaction))).rows[0]!.items;
  }

  async removeOfSandbox(transaction: SystemTransaction, days: number): Promise<void> {
    await statementsOf(transaction).run(REMOVE_OF_SANDBOX, [days]);
  }

  async count(transaction: SystemTransaction, reasons: readonly HeldReason[]): Promise<readonly HeldCount[]> {
    return (await statementsOf(transaction).run<HeldCount>(COUNT, [[...reasons]])).rows;
  }
}

function tenantValues({ tenant: { organizationId, environment } }: TenantTransaction): [string, string] {
  return [organizationId, environment];
}

/** The first of each sort: a feed may bring thousands, which know by themselves what they wait for. */
function joinedThings(before: HeldThings, now: HeldThings): HeldThings {
  const sorts = Object.keys(before) as (keyof HeldThings)[];
  return Object.fromEntries(
    sorts.map((sort) => [sort, [...new Set([...before[sort], ...now[sort]])].slice(0, MOST_NAMED)]),
  ) as Record<keyof HeldThings, string[]>;
}
