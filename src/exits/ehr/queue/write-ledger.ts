import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import { SystemStatements, toJsonb } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { KeptResource } from './kept-resource.js';
import type { OpenWrite } from './open-writes.js';

/** One attempt of a delivery: what another one writes, which lost its lease and is late, counts for nothing. */
export interface WriteAttempt {
  readonly id: string;
  /** Its number, as the delivery counts them. */
  readonly attempt: number;
}

/**
 * `gone`: the delivery was erased. `superseded`: a later version of its part is delivered, was discarded, or may stand, which knew nothing of this
 * one. `taken_over`: by another attempt, or a write of an earlier version began after this attempt looked at them.
 */
export type WriteAnswer = 'done' | 'gone' | 'superseded' | 'taken_over';

/** What is known of a delivery before an attempt. */
export interface KnownWrites {
  readonly open: readonly OpenWrite[];
  /** The database may have forgotten what was filed in its place: nobody can look for that, as it has the same number. */
  readonly isForgotten: boolean;
}

/** What is kept of a delivery that was filed. */
export interface FiledFacts {
  readonly filed: readonly KeptResource[];
  /** Of its writes that may be carried out yet. */
  readonly open: readonly OpenWrite[];
}

/** A later version (`newer`) that bars this one: it stands or may stand, or a person has decided that it is dealt with. */
export const LATER_COUNTS = `(newer.state in ('delivered', 'discarded') or newer.unsettled or newer.filed is not null)`;

const KEPT = `case when open_writes = '[]' and unsettled
      then jsonb_build_array(jsonb_build_object('patient', patient, 'kind', 'create', 'times', 1, 'at', coalesce(sent_at, created_at), 'isTaken', false))
      else open_writes end`;

/** The writes of a delivery, those of a release before among them. */
export const OPEN_WRITES = `(select coalesce(jsonb_agg(one || jsonb_build_object('ageMs', floor(extract(epoch from sutura_now() - (one ->> 'at')::timestamptz) * 1000)) order by place), '[]')
    from jsonb_array_elements(${KEPT}) with ordinality as known (one, place))`;

const STAMPED = `(select coalesce(jsonb_agg(case when one ->> 'at' is null then one || jsonb_build_object('at', sutura_now()) else one end order by place), '[]')
    from jsonb_array_elements($3::jsonb) with ordinality as given (one, place))`;

/** The database as it is now. Whoever restores it, or makes a standby the first, goes on on another timeline, and may have lost what was written last. */
const HERE = `(select sutura_database_here())`;
/** What waits or is held may have been sent since, and an attempt that is under way knows nothing of that: it counts for nothing. $1 the EHR, $2 the token of its lease; null: of whichever process. */
const SETTLE_IN = `with here as materialized (select ${HERE} as name),
  moved as (select here.name, sent_from from ehr_senders, here where ehr_id = $1 and ($2::uuid is null or lease_token = $2)
      and sent_from is distinct from here.name for update of ehr_senders),
  doubted as (update ehr_deliveries set unsettled = true, attempts = attempts + 1,
      open_writes = ${KEPT} || jsonb_build_array(jsonb_build_object('patient', null, 'kind', 'create', 'times', 1, 'at', created_at, 'isTaken', false))
    from moved where ehr_id = $1 and state in ('waiting', 'parked') and moved.sent_from is not null returning id)
  update ehr_senders set sent_from = moved.name, came_back_at = case when moved.sent_from is null then came_back_at else sutura_now() end
    from moved where ehr_id = $1`;
/** A copy of its files has the timeline that it had. */
const CAME_BACK = `update ehr_senders set sent_from = 'restored'`;

/** All versions of the part, held: whoever else begins or files one of them waits, and sees what was done. $1: the delivery, $2: its attempt, $4: what was begun before. */
const HELD = `subject as materialized (select id, version, state, attempts, begun, unsettled, filed from ehr_deliveries
      where (ehr_id, subject_id) = (select ehr_id, subject_id from ehr_deliveries where id = $1) order by number for update),
  own as materialized (select id, state, attempts = $2 as is_own,
      $4 = (select coalesce(sum(older.begun), 0) from subject older where older.version < subject.version) as is_same,
      exists (select from subject newer where newer.version > subject.version and ${LATER_COUNTS}) as is_superseded
    from subject where id = $1)`;
const MAY = `delivery.id = own.id and own.is_own and own.is_same and not own.is_superseded`;
const SAID = `select own.is_own and own.is_same as "isOwn", own.is_superseded as "isSuperseded", exists (select from done) as "isDone" from own`;

/** Not where a person has parked it meanwhile. A leave that a person gave to write anew is used up with it: whatever becomes of the attempt, the next one looks again. */
const BEGIN = `with ${HELD},
  done as (update ehr_deliveries delivery set open_writes = ${STAMPED}, unsettled = true, patient = $5, begun = begun + 1,
      history = coalesce((select jsonb_set(history, array[(max(place) - 1)::text, 'isSpent'], 'true')
          from jsonb_array_elements(history) with ordinality as past (entry, place) where entry ->> 'what' = 'requeued' having count(*) > 0), history)
    from own where ${MAY} and own.state = 'waiting'
      and exists (select from ehr_senders where ehr_senders.ehr_id = delivery.ehr_id and sent_from = ${HERE}) returning delivery.id)
  ${SAID}`;
const FILE = `with ${HELD},
  done as (update ehr_deliveries delivery set state = 'delivered', delivered_at = sutura_now(), fault = null, parked_for = null, held_for = null, answer_codes = null,
      open_writes = ${STAMPED}, unsettled = jsonb_array_length($3::jsonb) > 0, filed = $5
    from own where ${MAY} and delivery.state <> 'delivered' returning delivery.id)
  ${SAID}`;
/** $4: what is known to stand of it, though it is not filed; null: as it was. */
const KEEP = `update ehr_deliveries set open_writes = ${STAMPED}, unsettled = jsonb_array_length($3::jsonb) > 0, filed = coalesce($4::jsonb, filed)
  where id = $1 and attempts = $2`;
/** When a report was made, by its id, and not after the ledger was lost. */
export const OF_BEFORE = (report: string): string =>
  `to_timestamp(('x' || translate(left(${report}::text, 13), '-', ''))::bit(48)::bigint / 1000.0) <= came_back_at`;

/**
 * A version that was made after the database came back, of a report that may be older (its id says when it was made): one of the same number may have
 * been filed that the database has forgotten. Not once a version after it was filed, for which a person has looked.
 */
const IS_FORGOTTEN = `delivery.filed is null and exists (select from ehr_senders where ehr_senders.ehr_id = delivery.ehr_id and delivery.created_at > came_back_at
    and ${OF_BEFORE('delivery.report_id')}
    and not exists (select from ehr_deliveries looked_for where (looked_for.ehr_id, looked_for.subject_id) = (delivery.ehr_id, delivery.subject_id)
      and looked_for.version < delivery.version and looked_for.created_at > came_back_at and looked_for.filed is not null))`;
const OPEN = `select ${OPEN_WRITES} as open, ${IS_FORGOTTEN} as "isForgotten" from ehr_deliveries delivery where id = $1 and attempts = $2`;

interface SaidRow {
  readonly isOwn: boolean;
  readonly isSuperseded: boolean;
  readonly isDone: boolean;
}

/**
 * Before deliveries are made in this transaction: what is made after the database came back is told from what was there before, also while nothing is
 * sent, as the EHR is paused or its push is off.
 */
export async function settleBefore(transaction: Transaction, ehrId: string): Promise<void> {
  await statementsOf(transaction).run(SETTLE_IN, [ehrId, null]);
}

/** The only place where a delivery is said to be written or filed: bound to its attempt, and to what its versions before and after have done. */
@Injectable()
export class WriteLedger {
  constructor(private readonly statements: SystemStatements) {}

  /** Before anything is sent by the holder of this lease: where the database came back without what was written last, all that is not filed is looked for first. */
  async settleIn(ehrId: string, leaseToken: string): Promise<void> {
    await this.statements.runPrepared(SETTLE_IN, [ehrId, leaseToken]);
  }

  /** The database was restored by a copy of its files: whoever sends next settles in. */
  async cameBack(): Promise<void> {
    await this.statements.run(CAME_BACK);
  }

  /** Of attempts before this one. */
  async known({ id, attempt }: WriteAttempt): Promise<KnownWrites> {
    const [row] = (await this.statements.runPrepared<KnownWrites>(OPEN, [id, attempt])).rows;
    return row ?? { open: [], isForgotten: false };
  }

  /**
   * A write to the chart of `patient` follows, one of `open`: from here on it may stand there. Nothing is sent where it is not `done`. `begunBefore`:
   * writes of earlier versions, as this attempt has seen them.
   */
  begin(
    attempt: WriteAttempt,
    open: readonly OpenWrite[],
    { patient, begunBefore }: { readonly patient: string; readonly begunBefore: number },
  ): Promise<WriteAnswer> {
    return this.said(BEGIN, attempt, open, [begunBefore, patient]);
  }

  /** What became of a write of this attempt. `filed`: what the EHR has named, although the delivery is not filed yet; null: nothing new. */
  async keep(
    { id, attempt }: WriteAttempt,
    open: readonly OpenWrite[],
    filed: readonly KeptResource[] | null = null,
  ): Promise<void> {
    await this.statements.run(KEEP, [id, attempt, toJsonb(kept(open)), filed === null ? null : toJsonb(filed)]);
  }

  /** The delivery is filed, with what it left. Where that is not `done`, it is not. */
  file(attempt: WriteAttempt, { filed, open }: FiledFacts, begunBefore: number): Promise<WriteAnswer> {
    return this.said(FILE, attempt, open, [begunBefore, toJsonb(filed)]);
  }

  private async said(
    sql: string,
    { id, attempt }: WriteAttempt,
    open: readonly OpenWrite[],
    more: readonly unknown[],
  ): Promise<WriteAnswer> {
    const [row] = (await this.statements.runPrepared<SaidRow>(sql, [id, attempt, toJsonb(kept(open)), ...more])).rows;
    if (row === undefined) return 'gone';
    if (row.isDone) return 'done';
    return row.isOwn && row.isSuperseded ? 'superseded' : 'taken_over';
  }
}

function kept(open: readonly OpenWrite[]): readonly Omit<OpenWrite, 'ageMs'>[] {
  return open.map(({ ageMs: _, ...one }) => one);
}
