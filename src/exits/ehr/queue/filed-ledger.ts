import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { FiledPart, FiledType } from '../dialects/filing.js';
import type { KeptResource } from './kept-resource.js';
import type { OpenWrite } from './open-writes.js';
import { LATER_COUNTS, OF_BEFORE, OPEN_WRITES, settleBefore } from './write-ledger.js';

/** What became of one delivery of a report. */
export interface LedgerEntry {
  /** Of the delivery. */
  readonly part: FiledPart;
  readonly version: number;
  readonly filed: readonly KeptResource[];
  /** Writes of it that may stand in the EHR, or be carried out yet. */
  readonly open: readonly OpenWrite[];
  /** A person has put it aside, who may have seen it there. */
  readonly isDiscarded: boolean;
  readonly isFiled: boolean;
}

/** The deliveries of a part before a version, oldest first. */
export interface LedgerBefore {
  readonly entries: readonly LedgerEntry[];
  /** How many writes of them ever began. */
  readonly begun: number;
}

interface BeforeRow extends LedgerEntry {
  readonly begun: number;
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

const BEFORE = `select type as part, version, coalesce(filed, '[]') as filed, ${OPEN_WRITES} as open, state = 'discarded' as "isDiscarded", state = 'delivered' as "isFiled", begun
  from ehr_deliveries where ehr_id = $1 and report_id = $2 and type = $3 and version < $4 order by version, number`;
const TOLD = `select type as part, max(version)::int as version, min(version)::int as "firstVersion"
  from ehr_deliveries where ehr_id = $1 and report_id = $2 group by type order by min(number)`;
const FORGOTTEN = `select from ehr_senders where ehr_id = $1 and ${OF_BEFORE('$2::uuid')}`;
const SUPERSEDED = `select from ehr_deliveries delivery where delivery.id = $1 and exists (select from ehr_deliveries newer
    where newer.ehr_id = delivery.ehr_id and newer.subject_id = delivery.subject_id and newer.version > delivery.version and ${LATER_COUNTS})`;
const OWING = `select ehr_id as "ehrId", withdrawals_owed_at::text as "owedAt" from ehr_senders where withdrawals_owed_at is not null`;
const OWE = `update ehr_senders set withdrawals_owed_at = sutura_now() where ehr_id = $1`;
const OWES_NONE = `update ehr_senders set withdrawals_owed_at = null where ehr_id = $1 and withdrawals_owed_at = $2::timestamptz`;
/** By the index of what was filed. */
const OF_OTHERS = `select kept ->> 'id' as id from ehr_deliveries, jsonb_array_elements(filed) kept
  where ehr_id = $1 and report_id <> $2 and filed @> any ($3::jsonb[]) and kept ->> 'type' = $4`;

/** What stands in EHRs of a report, by the deliveries that filed it. */
@Injectable()
export class FiledLedger {
  constructor(private readonly statements: SystemStatements) {}

  /** Of the versions before this one, oldest first. */
  async before(ehrId: string, { part, reportId, version }: LedgerPlace): Promise<LedgerBefore> {
    const { rows } = await this.statements.run<BeforeRow>(BEFORE, [ehrId, reportId, part, version]);
    return { entries: rows, begun: rows.reduce((sum, row) => sum + row.begun, 0) };
  }

  /** The parts that the EHR was given of a report, each with the last version. */
  async told(transaction: Transaction, ehrId: string, reportId: string): Promise<readonly ToldPart[]> {
    return (await statementsOf(transaction).run<ToldPart>(TOLD, [ehrId, reportId])).rows;
  }

  /** Whether something of a report may have been filed that the ledger does not know: it came back without, or was lost with a registration. */
  async mayHaveForgotten(transaction: Transaction, ehrId: string, reportId: string): Promise<boolean> {
    await settleBefore(transaction, ehrId);
    return (await statementsOf(transaction).run(FORGOTTEN, [ehrId, reportId])).rows.length > 0;
  }

  /** EHRs that were not told of withdrawals, and since when. */
  async owingWithdrawals(): Promise<readonly { readonly ehrId: string; readonly owedAt: string }[]> {
    return (await this.statements.run<{ readonly ehrId: string; readonly owedAt: string }>(OWING)).rows;
  }

  /** A withdrawal was not made into deliveries, as nothing says how they would be filed. */
  async oweWithdrawals(transaction: Transaction, ehrId: string): Promise<void> {
    await statementsOf(transaction).run(OWE, [ehrId]);
  }

  /** Those that were owed then were made; none since. */
  async owesNoWithdrawals(ehrId: string, owedAt: string): Promise<void> {
    await this.statements.run(OWES_NONE, [ehrId, owedAt]);
  }

  /** Whether a later version of its part bars this one by now: it comes too late. */
  async isSuperseded(deliveryId: string): Promise<boolean> {
    return (await this.statements.run(SUPERSEDED, [deliveryId])).rows.length > 0;
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
