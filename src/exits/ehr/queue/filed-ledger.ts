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
const BEGIN = 'update ehr_deliveries set unsettled = true, patient = $2 where id = $1';
const SETTLE = 'update ehr_deliveries set unsettled = false where id = $1';
/** By the index of what was filed. */
const OF_OTHERS = `select kept ->> 'id' as id from ehr_deliveries, jsonb_array_elements(filed) kept
  where ehr_id = $1 and report_id <> $2 and filed @> any ($3::jsonb[]) and kept ->> 'type' = $4`;

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

  /** A write to the chart of `patient` follows: from here on it may stand there. False: the delivery was erased, and nothing is sent. */
  async begin(deliveryId: string, patient: string): Promise<boolean> {
    return (await this.statements.runPrepared(BEGIN, [deliveryId, patient])).affected > 0;
  }

  /** An answer told that nothing of what was written stands there. */
  async settle(deliveryId: string): Promise<void> {
    await this.statements.run(SETTLE, [deliveryId]);
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
