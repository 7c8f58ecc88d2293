import { Injectable } from '@nestjs/common';
import { SystemStatements } from '../../../platform/database/statements.js';
import type { ExportFile, ExportWork } from './bulk-export.js';

const HELD = `sutura_now() + make_interval(secs => $3)`;
const MINE = `id = $1 and held_by = $2 and state = 'running'`;
/** The longest waiting comes next, so that a large export does not block small ones. */
const TAKE = `with next as (
    select id from bulk_exports where state = 'running' and (held_until is null or held_until < sutura_now())
      order by held_until nulls first, asked_at limit 1 for update skip locked),
  taken as (update bulk_exports held set held_by = $1, held_until = sutura_now() + make_interval(secs => $2), tries = held.tries + 1
    from next where held.id = next.id returning held.*)
  select id, organization_id as "organizationId", environment, asked_by as "askedBy", asked_at as "askedAt", rights, wish as options,
    transaction_time as "transactionTime", barrier::text as barrier, at_type as "atType", after_id as "afterId",
    (select coalesce(max(number), 0) from bulk_export_files where export = taken.id) as files, tries from taken`;
const KEEP = `update bulk_exports set held_until = ${HELD} where ${MINE}`;
const LET_GO = `update bulk_exports set held_until = sutura_now() + make_interval(secs => $3), tries = case when $4 then 0 else tries end
  where id = $1 and held_by = $2`;
const CHOOSE = `update bulk_exports set transaction_time = $4, held_until = ${HELD} where ${MINE}`;
const BAR = `update bulk_exports set barrier = pg_current_xact_id(), held_until = ${HELD} where ${MINE} returning barrier::text as barrier`;
const IS_OVER = `select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as "isOver"`;
/** Events from before that no resource may show yet. */
const OWED = `select exists (select from outbox_events where organization_id = $1 and environment = $2 and created_at <= $3
  and (handler is null or handler = $4)) as "isOwed"`;
/** The file and the place behind it: both or neither. */
const KEEP_FILE = `with kept as (update bulk_exports set at_type = $4, after_id = $5, resources = resources + $8::int, tries = 0, held_until = ${HELD}
    where ${MINE} returning *)
  insert into bulk_export_files (export, number, organization_id, environment, type, resources, bytes)
    select id, $6::int, organization_id, environment, $7::text, $8::int, $9::bigint from kept`;
const COMPLETE = `update bulk_exports set state = 'complete', completed_at = sutura_now(), held_until = null, expires_at = sutura_now() + make_interval(hours => $3)
  where ${MINE}`;
const FAIL = `update bulk_exports set state = 'failed', wish = '{}', held_until = null where id = $1 and held_by = $2 and state = 'running'`;
const STATES = `select state, count(held.id)::int as exports from unnest(array['running', 'complete', 'failed']) state
  left join bulk_exports held using (state) group by state`;

const EXPIRE = `update bulk_exports set state = 'ended', reason = 'expired', wish = '{}'
  where state in ('complete', 'failed') and expires_at < sutura_now()`;
/** A process that lost its lease may still store another part. */
const TO_REMOVE = `select id from bulk_exports where state in ('ended', 'failed') and files_removed_at is null
  and (held_until is null or held_until < sutura_now()) limit 20`;
const REMOVED = `with gone as (delete from bulk_export_files where export = $1)
  update bulk_exports set files_removed_at = sutura_now() where id = $1`;
/** Until then a caller is told why. */
const PURGE = `delete from bulk_exports where state = 'ended' and files_removed_at is not null and expires_at < sutura_now() - interval '1 day'`;

/** Exports as those know them who work on them: one at a time has one, under a hold that ends by itself. Over all tenants. */
@Injectable()
export class ExportQueue {
  constructor(private readonly statements: SystemStatements) {}

  /** null: nothing to do. `tries`: consecutive claims without progress, including this one. */
  async take(holder: string, seconds: number): Promise<(ExportWork & { readonly tries: number }) | null> {
    const { rows } = await this.statements.run<ExportWork & { tries: number }>(TAKE, [holder, seconds]);
    return rows[0] ?? null;
  }

  /** False: it has ended, or is another's. */
  async keep(id: string, holder: string, seconds: number): Promise<boolean> {
    return (await this.statements.run(KEEP, [id, holder, seconds])).affected === 1;
  }

  /** Gives it back; it can be taken again after that many seconds. */
  async letGo(id: string, holder: string, seconds: number, made: { readonly progress: boolean }): Promise<void> {
    await this.statements.run(LET_GO, [id, holder, seconds, made.progress]);
  }

  /** False: it has ended, or is another's. */
  async chooseMoment(id: string, holder: string, seconds: number, moment: Date): Promise<boolean> {
    return (await this.statements.run(CHOOSE, [id, holder, seconds, moment])).affected === 1;
  }

  /** The transaction behind which all that was written by the moment lies; null: it has ended, or is another's. */
  async bar(id: string, holder: string, seconds: number): Promise<string | null> {
    const { rows } = await this.statements.run<{ barrier: string }>(BAR, [id, holder, seconds]);
    return rows[0]?.barrier ?? null;
  }

  /** True once no transaction runs that began to write before the barrier. */
  async isOver(barrier: string): Promise<boolean> {
    return (await this.statements.run<{ isOver: boolean }>(IS_OVER, [barrier])).rows[0]!.isOver;
  }

  /** True while an event from before the export is still to be shown as resources. */
  async isOwed({ organizationId, environment, askedAt }: ExportWork, handler: string): Promise<boolean> {
    const { rows } = await this.statements.run<{ isOwed: boolean }>(OWED, [
      organizationId,
      environment,
      askedAt,
      handler,
    ]);
    return rows[0]!.isOwed;
  }

  /** False: it has ended, or was claimed by another. `atType` and `afterId`: where the next part begins. */
  async keepFile(
    id: string,
    holder: string,
    seconds: number,
    { atType, afterId, file }: { readonly atType: number; readonly afterId: string | null; readonly file: ExportFile },
  ): Promise<boolean> {
    const { number, type, resources, bytes } = file;
    const values = [id, holder, seconds, atType, afterId, number, type, resources, bytes];
    return (await this.statements.run(KEEP_FILE, values)).affected === 1;
  }

  /** Its files are available for so many hours. False: it has ended, or was claimed by another. */
  async complete(id: string, holder: string, hours: number): Promise<boolean> {
    return (await this.statements.run(COMPLETE, [id, holder, hours])).affected === 1;
  }

  async fail(id: string, holder: string): Promise<void> {
    await this.statements.run(FAIL, [id, holder]);
  }

  async states(): Promise<{ readonly state: string; readonly exports: number }[]> {
    return (await this.statements.run<{ state: string; exports: number }>(STATES)).rows;
  }

  async expire(): Promise<void> {
    await this.statements.run(EXPIRE);
    await this.statements.run(PURGE);
  }

  /** Exports whose files are no longer available. */
  async toRemove(): Promise<string[]> {
    return (await this.statements.run<{ id: string }>(TO_REMOVE)).rows.map(({ id }) => id);
  }

  async removed(id: string): Promise<void> {
    await this.statements.run(REMOVED, [id]);
  }
}
