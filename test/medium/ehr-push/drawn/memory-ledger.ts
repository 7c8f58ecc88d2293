import type { FiledPart, FiledType } from '../../../../src/exits/ehr/dialects/filing.js';
import { FiledLedger, type LedgerBefore, type LedgerPlace } from '../../../../src/exits/ehr/queue/filed-ledger.js';
import type { KeptResource } from '../../../../src/exits/ehr/queue/kept-resource.js';
import type { OpenWrite } from '../../../../src/exits/ehr/queue/open-writes.js';
import {
  WriteLedger,
  type KnownWrites,
  type WriteAnswer,
  type WriteAttempt,
} from '../../../../src/exits/ehr/queue/write-ledger.js';
import type { KeptHistory } from '../../../../src/exits/kit/index.js';
import type { SystemStatements } from '../../../../src/platform/database/statements.js';

/** A delivery as the table keeps it. */
export interface MemoryRow {
  readonly id: string;
  readonly part: FiledPart;
  readonly reportId: string;
  readonly version: number;
  state: 'waiting' | 'parked' | 'delivered' | 'discarded';
  attempts: number;
  begun: number;
  unsettled: boolean;
  open: readonly OpenWrite[];
  filed: readonly KeptResource[] | null;
  history: KeptHistory;
  hold: string | null;
  readonly createdMs: number;
}

/** What `ehr_senders` knows of the database that deliveries were sent from. */
export interface MemorySender {
  readonly sentFrom: number | null;
  readonly cameBackMs: number | null;
}

const NO_STATEMENTS = null as unknown as SystemStatements;

/** The table of deliveries of one EHR, in memory: by the same rules as the statements, which test/medium/ehr-push/write-ledger.spec.ts tries. */
export class MemoryTable {
  rows: MemoryRow[] = [];
  /** As it is registered. */
  sender: MemorySender = { sentFrom: 1, cameBackMs: null };
  /** The database as it is now: another one after each restore. */
  here = 1;

  constructor(readonly now: () => number) {}

  /** As `LATER_COUNTS`. */
  isBarred({ part, reportId, version }: MemoryRow): boolean {
    return this.rows.some(
      (newer) =>
        newer.part === part &&
        newer.reportId === reportId &&
        newer.version > version &&
        (newer.state === 'delivered' || newer.state === 'discarded' || newer.unsettled || newer.filed !== null),
    );
  }

  /** As `SETTLE_IN`: what was not filed may have been since. */
  settleIn(): void {
    const { sentFrom, cameBackMs } = this.sender;
    if (sentFrom === this.here) return;
    this.sender = { sentFrom: this.here, cameBackMs: sentFrom === null ? cameBackMs : this.now() };
    if (sentFrom === null) return;
    for (const row of this.rows) if (row.state === 'waiting' || row.state === 'parked') this.doubt(row);
  }

  /** As `IS_FORGOTTEN`; the report is older. */
  isForgotten({ part, version, createdMs, filed: own }: MemoryRow): boolean {
    const { cameBackMs } = this.sender;
    const isNew = (one: Pick<MemoryRow, 'createdMs'>): boolean => cameBackMs !== null && one.createdMs > cameBackMs;
    const isLookedFor = this.rows.some(
      (one) => one.part === part && one.version < version && isNew(one) && one.filed !== null,
    );
    return own === null && isNew({ createdMs }) && !isLookedFor;
  }

  private doubt(row: MemoryRow): void {
    const write = {
      patient: null,
      kind: 'create',
      times: 1,
      at: new Date(0).toISOString(),
      ageMs: 0,
      isTaken: false,
    } as const;
    Object.assign(row, { unsettled: true, open: [...row.open, write], attempts: row.attempts + 1 });
  }

  begunBefore({ part, reportId, version }: MemoryRow): number {
    return this.rows
      .filter((one) => one.part === part && one.reportId === reportId && one.version < version)
      .reduce((sum, { begun }) => sum + begun, 0);
  }

  stamped(open: readonly OpenWrite[]): readonly OpenWrite[] {
    return open.map((one) => (one.at === null ? { ...one, at: new Date(this.now()).toISOString() } : one));
  }

  aged(open: readonly OpenWrite[]): readonly OpenWrite[] {
    return open.map((one) => ({ ...one, ageMs: this.now() - Date.parse(one.at!) }));
  }
}

export class MemoryWrites extends WriteLedger {
  constructor(private readonly table: MemoryTable) {
    super(NO_STATEMENTS);
  }

  override known({ id, attempt }: WriteAttempt): Promise<KnownWrites> {
    const row = this.table.rows.find((one) => one.id === id && one.attempts === attempt);
    if (row === undefined) return Promise.resolve({ open: [], isForgotten: false });
    return Promise.resolve({ open: this.table.aged(row.open), isForgotten: this.table.isForgotten(row) });
  }

  override begin(
    attempt: WriteAttempt,
    open: readonly OpenWrite[],
    { begunBefore }: { readonly patient: string; readonly begunBefore: number },
  ): Promise<WriteAnswer> {
    return this.decided(attempt, begunBefore, (row) => {
      if (row.state !== 'waiting') return false;
      const last = row.history.findLastIndex(({ what }) => what === 'requeued');
      row.history = row.history.map((one, place) => (place === last ? { ...one, isSpent: true } : one));
      Object.assign(row, { open: this.table.stamped(open), unsettled: true, begun: row.begun + 1 });
      return true;
    });
  }

  override keep(
    { id, attempt }: WriteAttempt,
    open: readonly OpenWrite[],
    filed: readonly KeptResource[] | null = null,
  ): Promise<void> {
    const row = this.table.rows.find((one) => one.id === id && one.attempts === attempt);
    if (row !== undefined)
      Object.assign(row, { open: this.table.stamped(open), unsettled: open.length > 0, filed: filed ?? row.filed });
    return Promise.resolve();
  }

  override file(
    attempt: WriteAttempt,
    { filed, open }: { readonly filed: readonly KeptResource[]; readonly open: readonly OpenWrite[] },
    begunBefore: number,
  ): Promise<WriteAnswer> {
    return this.decided(attempt, begunBefore, (row) => {
      if (row.state === 'delivered') return false;
      const stamped = this.table.stamped(open);
      Object.assign(row, { state: 'delivered', hold: null, open: stamped, unsettled: open.length > 0, filed });
      return true;
    });
  }

  private decided(
    { id, attempt }: WriteAttempt,
    begunBefore: number,
    work: (row: MemoryRow) => boolean,
  ): Promise<WriteAnswer> {
    const row = this.table.rows.find((one) => one.id === id);
    if (row === undefined) return Promise.resolve('gone');
    const isOwn = row.attempts === attempt && this.table.begunBefore(row) === begunBefore;
    const isBarred = this.table.isBarred(row);
    if (isOwn && !isBarred && work(row)) return Promise.resolve('done');
    return Promise.resolve(isOwn && isBarred ? 'superseded' : 'taken_over');
  }
}

export class MemoryFiled extends FiledLedger {
  constructor(private readonly table: MemoryTable) {
    super(NO_STATEMENTS);
  }

  override before(_ehrId: string, { part, reportId, version }: LedgerPlace): Promise<LedgerBefore> {
    const rows = this.table.rows
      .filter((one) => one.part === part && one.reportId === reportId && one.version < version)
      .sort((a, b) => a.version - b.version);
    const entries = rows.map((row) => ({
      part: row.part,
      version: row.version,
      filed: row.filed ?? [],
      open: this.table.aged(row.open),
      isDiscarded: row.state === 'discarded',
      isFiled: row.state === 'delivered',
    }));
    return Promise.resolve({ entries, begun: rows.reduce((sum, row) => sum + row.begun, 0) });
  }

  override isSuperseded(id: string): Promise<boolean> {
    const row = this.table.rows.find((one) => one.id === id);
    return Promise.resolve(row !== undefined && this.table.isBarred(row));
  }

  override ofOthers(
    _ehrId: string,
    reportId: string,
    type: FiledType,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const others = this.table.rows.filter((one) => one.reportId !== reportId).flatMap(({ filed }) => filed ?? []);
    const known = others.filter((one) => one.type === type && ids.includes(one.id ?? ''));
    return Promise.resolve(new Set(known.map(({ id }) => id!)));
  }
}
