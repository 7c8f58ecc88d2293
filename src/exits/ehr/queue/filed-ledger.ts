import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { FiledPart, FiledType } from '../dialects/filing.js';

/** A resource as the row of its delivery keeps it; `id` null: the EHR named none. */
export interface KeptResource {
  readonly part: FiledPart;
  readonly type: FiledType;
  readonly id: string | null;
  readonly versionId: string | null;
  /** `Patient/id` in whose chart it is. */
  readonly patient: string;
  /** Absent: it stands. */
  readonly ended?: 'entered-in-error' | 'superseded';
}

/** What became of one delivery of a report. */
export interface LedgerEntry {
  /** Of the delivery. */
  readonly part: FiledPart;
  readonly version: number;
  readonly filed: readonly KeptResource[];
  /** A write was sent, and no answer told what became of it: it may stand in the EHR. */
  readonly isUnclear: boolean;
  /** `Patient/id` in whose chart it may stand; null: nothing was written. */
  readonly patient: string | null;
}

/** What a report was enqueued as. */
export interface ToldPart {
  readonly part: FiledPart;
  readonly version: number;
  /** The first version that the EHR was given. */
  readonly firstVersion: number;
}

/** The deliveries of one part of a report before a version. */
export interface LedgerPlace {
  readonly part: FiledPart;
  readonly reportId: string;
  readonly version: number;
}

const BEFORE = `select type as part, version, coalesce(filed, '[]') as filed, unsettled as "isUnclear", patient
  from ehr_deliveries where ehr_id = $1 and report_id = $2 and type = $3 and version < $4 order by version, number`;
const TOLD = `select type as part, max(version)::int as version, min(version)::int as "firstVersion"
  from ehr_deliveries where ehr_id = $1 and report_id = $2 group by type order by min(number)`;
/** A later version of the part, which knew nothing of this one, is delivered. */
const IS_SUPERSEDED = `exists (select from ehr_deliveries newer where newer.ehr_id = delivery.ehr_id and newer.subject_id = delivery.subject_id
    and newer.version > delivery.version and newer.state = 'delivered')`;
const SUPERSEDED = `select from ehr_deliveries delivery where delivery.id = $1 and ${IS_SUPERSEDED}`;
/** A leave that a person gave to write anew is used up with it: whatever becomes of the attempt, the next one looks again. */
const BEGIN = `with present as (select delivery.id, delivery.attempts = $2 as is_own, ${IS_SUPERSEDED} as is_superseded from ehr_deliveries delivery where delivery.id = $1),
  begun as (update ehr_deliveries delivery set unsettled = true, patient = $3,
      history = case when history -> -1 ->> 'what' = 'requeued' then jsonb_set(history, '{-1,isSpent}', 'true') else history end
    from present where delivery.id = present.id and delivery.attempts = $2 and not present.is_superseded returning delivery.id)
  select present.is_own as "isOwn", present.is_superseded as "isSuperseded", exists (select from begun) as "isBegun" from present`;
const SETTLE = 'update ehr_deliveries set unsettled = false where id = $1 and attempts = $2';
/** By the index of what was filed. */
const OF_OTHERS = `select kept ->> 'id' as id from ehr_deliveries, jsonb_array_elements(filed) kept
  where ehr_id = $1 and report_id <> $2 and filed @> any ($3::jsonb[]) and kept ->> 'type' = $4`;

/** One attempt of a delivery: marks of another, which lost its lease and is late, count for nothing. */
export interface WriteAttempt {
  readonly id: string;
  /** Its number, as the delivery counts them. */
  readonly attempt: number;
}

/** `gone`: the delivery was erased. `superseded`: a later version of its part is delivered, which knew nothing of this one. `taken_over`: by another attempt. */
export type Begun = 'begun' | 'gone' | 'superseded' | 'taken_over';

interface BegunRow {
  readonly isOwn: boolean;
  readonly isSuperseded: boolean;
  readonly isBegun: boolean;
}

/** What stands in EHRs of a report, by the deliveries that filed it. */
@Injectable()
export class FiledLedger {
  constructor(private readonly statements: SystemStatements) {}

  /** Of the versions before this one, oldest first. */
  async before(ehrId: string, { part, reportId, version }: LedgerPlace): Promise<readonly LedgerEntry[]> {
    return (await this.statements.run<LedgerEntry>(BEFORE, [ehrId, reportId, part, version])).rows;
  }

  /** The parts that the EHR was given of a report, each with the last version. */
  async told(transaction: Transaction, ehrId: string, reportId: string): Promise<readonly ToldPart[]> {
    return (await statementsOf(transaction).run<ToldPart>(TOLD, [ehrId, reportId])).rows;
  }

  /** Whether a later version of its part is delivered by now: this one comes too late. */
  async isSuperseded(deliveryId: string): Promise<boolean> {
    return (await this.statements.run(SUPERSEDED, [deliveryId])).rows.length > 0;
  }

  /** A write to the chart of `patient` follows: from here on it may stand there. Nothing is sent where it is not `begun`. */
  async begin({ id, attempt }: WriteAttempt, patient: string): Promise<Begun> {
    const [row] = (await this.statements.runPrepared<BegunRow>(BEGIN, [id, attempt, patient])).rows;
    if (row === undefined) return 'gone';
    if (row.isBegun) return 'begun';
    return row.isOwn && row.isSuperseded ? 'superseded' : 'taken_over';
  }

  /** An answer told that nothing of what was written stands there. */
  async settle({ id, attempt }: WriteAttempt): Promise<void> {
    await this.statements.run(SETTLE, [id, attempt]);
  }

  /** Of these ids, those that were filed of other reports. */
  async ofOthers(
    ehrId: string,
    reportId: string,
    type: FiledType,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const sought = ids.map((id) => JSON.stringify([{ type, id }]));
    const { rows } = await this.statements.run<{ id: string }>(OF_OTHERS, [ehrId, reportId, sought, type]);
    return new Set(rows.map(({ id }) => id));
  }
}
