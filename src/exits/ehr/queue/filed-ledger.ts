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
}

/** What became of one delivery of a report. */
export interface LedgerEntry {
  /** Of the delivery. */
  readonly part: FiledPart;
  readonly version: number;
  readonly filed: readonly KeptResource[];
  /** Nobody knows whether it stands in the EHR. */
  readonly isUnclear: boolean;
}

/** What a report was enqueued as. */
export interface ToldPart {
  readonly part: FiledPart;
  readonly version: number;
}

/** Given up by a person or parked in the middle, it may stand there all the same. What was refused does not. */
const BEFORE = `select type as part, version, coalesce(filed, '[]') as filed,
    state in ('parked', 'discarded') and not unsent and coalesce(held_for, 'ehr_outcome_unknown') = 'ehr_outcome_unknown' as "isUnclear"
  from ehr_deliveries where ehr_id = $1 and report_id = $2 and version < $3 order by version, number`;
const TOLD = `select type as part, max(version)::int as version from ehr_deliveries where ehr_id = $1 and report_id = $2 group by type order by min(number)`;

/** What stands in EHRs of a report, by the deliveries that filed it. */
@Injectable()
export class FiledLedger {
  constructor(private readonly statements: SystemStatements) {}

  /** Of the versions before this one, oldest first. */
  async before(ehrId: string, reportId: string, version: number): Promise<readonly LedgerEntry[]> {
    return (await this.statements.run<LedgerEntry>(BEFORE, [ehrId, reportId, version])).rows;
  }

  /** The parts that the EHR was given of a report, each with the last version. */
  async told(transaction: Transaction, ehrId: string, reportId: string): Promise<readonly ToldPart[]> {
    return (await statementsOf(transaction).run<ToldPart>(TOLD, [ehrId, reportId])).rows;
  }
}
