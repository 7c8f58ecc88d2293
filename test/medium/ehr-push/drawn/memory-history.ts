import { randomUUID } from 'node:crypto';
import type { Ehr, EhrPush, PushContent } from '../../../../src/core/ehrs/ehr.js';
import type { Clock } from '../../../../src/core/ports/clock.js';
import type { ClinicalReport } from '../../../../src/core/report/clinical-report.js';
import type { ReportDocumentArchive } from '../../../../src/core/report/report-document-archive.js';
import { AccessTokens } from '../../../../src/exits/ehr/calls/access-tokens.js';
import { EhrServer } from '../../../../src/exits/ehr/calls/ehr-server.js';
import { DIALECTS } from '../../../../src/exits/ehr/dialects/dialects.js';
import { isWithdrawn, type FiledPart } from '../../../../src/exits/ehr/dialects/filing.js';
import { takenVersions } from '../../../../src/exits/ehr/events/taken-versions.js';
import { Filer } from '../../../../src/exits/ehr/filing/filer.js';
import type { FilingReader } from '../../../../src/exits/ehr/filing/filing-reader.js';
import { Looks } from '../../../../src/exits/ehr/filing/looks.js';
import { PeopleFinder } from '../../../../src/exits/ehr/filing/people-finder.js';
import { ReportFacts } from '../../../../src/exits/ehr/filing/report-facts.js';
import { ReportFiling } from '../../../../src/exits/ehr/filing/report-filing.js';
import { UnknownResources } from '../../../../src/exits/ehr/filing/unknown-resources.js';
import { Standings } from '../../../../src/exits/ehr/filing/standings.js';
import { TransactionFiler } from '../../../../src/exits/ehr/filing/transaction-filer.js';
import type { VisitNumbers } from '../../../../src/exits/ehr/filing/visit-numbers.js';
import { EhrTransport, type EhrOutcome } from '../../../../src/exits/ehr/sender/ehr-transport.js';
import { judge, SENDER_TIMINGS, type Outcome } from '../../../../src/exits/kit/index.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import type { Dialect } from '../../../support/fake-ehr/index.js';
import { findingsWithArea, reportsOf } from '../../../support/sample-report.js';
import { MemoryEhr } from './memory-ehr.js';
import { MemoryFiled, MemoryTable, type MemoryRow, type MemorySender, type MemoryWrites } from './memory-ledger.js';
import { AREA, OTHER_AREA, ehrOf, MortalWrites, PATIENTS, sent, wordsOf, type Death } from './memory-sender.js';

const REVIEWERS = 'urn:oid:2.999.9';
export const PATIENCE = { lateMs: 600_000, takenMs: 7_200_000 };
export const MINUTE_MS = 60_000;

/** A version with what its content is known by in a chart. */
export interface MadeVersion {
  readonly report: ClinicalReport;
  readonly mark: number;
}

interface Backup {
  readonly rows: readonly MemoryRow[];
  readonly versions: readonly MadeVersion[];
  readonly sender: MemorySender;
  readonly ehr: Ehr;
}

/** As the database gives rows back. */
function copyOf(rows: readonly MemoryRow[]): readonly MemoryRow[] {
  return JSON.parse(JSON.stringify(rows)) as readonly MemoryRow[];
}

/** One report on its way into one EHR, in memory. */
export class MemoryHistory {
  nowMs = Date.parse('2026-03-10T08:00:00Z');
  readonly told: string[] = [];
  readonly table = new MemoryTable(() => this.nowMs);
  readonly chart: MemoryEhr;
  ehr: Ehr;
  /** Results are sent: it is neither paused nor switched off. */
  isServed = true;
  isRegistered = true;
  /** The process that sends ends before it is done. */
  isDying = false;
  private registeredMs = this.nowMs;
  versions: readonly MadeVersion[] = [];
  /** By whom the reviews are. */
  reviewer = 'HCP-0042';
  readonly patients: readonly [string, string];
  holder = 0;
  private marks = 0;
  private readonly reportId = '0199bbbb-0000-7000-8000-aaaa00000000';
  private backup: Backup | null = null;
  isRestored = false;
  /** Everything that was to be sent since a version was made. */
  private readonly sends: { readonly atMs: number; readonly send: readonly PushContent[] }[] = [];
  /** What was filed when the database came back, as it knew. */
  knownAtRestore: ReadonlySet<string> = new Set();

  constructor(readonly dialect: Dialect) {
    this.chart = new MemoryEhr(dialect, () => this.nowMs);
    const { chart } = this.chart.state;
    chart.seed({ resourceType: 'Practitioner', identifier: [{ system: REVIEWERS, value: 'HCP-0042' }] });
    this.chart.state.mappedRows.push(AREA, OTHER_AREA);
    const person = (value: string | null) =>
      chart.seed({
        resourceType: 'Patient',
        identifier: value === null ? [] : [{ system: PATIENTS, value }],
      });
    this.patients = [person('MRN-4711'), person(null)];
    for (const id of this.patients)
      chart.seed({
        resourceType: 'Encounter',
        status: 'in-progress',
        subject: { reference: `Patient/${id}` },
        period: { start: '2025-01-01T00:00:00Z' },
      });
    this.ehr = ehrOf(dialect, this.chart.fhirBaseUrl);
    this.restate({});
  }

  get patientId(): string {
    return this.patients[this.holder]!;
  }

  /** A further version, and what the EHR is owed of it. */
  decide(status: 'final' | 'entered-in-error'): void {
    // Two versions are never issued within a second.
    this.nowMs += 2000;
    this.marks += 1;
    const mark = this.marks;
    const findings = findingsWithArea(10 + mark / 10);
    const { area, ...others } = findings.figures!;
    const figures = Object.fromEntries(Object.entries(others).map(([name, one]) => [name, { ...one, cm: null }]));
    const review = {
      decision: status === 'final' ? ('accept' as const) : ('reject' as const),
      reviewer: { id: this.reviewer, name: 'Ada Winter', system: REVIEWERS },
      note: null,
      reviewedAt: new Date(this.nowMs).toISOString(),
    };
    const [made] = reportsOf({
      weeks: [{ ...findings, figures: { area, ...figures } as never }],
      content: { review },
      report: { id: this.reportId, version: this.versions.length + 1, status, issuedAt: new Date(this.nowMs) },
    });
    this.versions = [...this.versions, { report: made!, mark }];
    this.told.push(`${status} v${made!.version} (mark ${mark})`);
    this.enqueue();
  }

  /** The registration of staff there is mended. */
  reviewerIsKnown(): void {
    const chart = this.chart.state.chart;
    for (const value of ['HCP-unknown'])
      if (chart.identified('Practitioner', REVIEWERS, value).length === 0)
        chart.seed({ resourceType: 'Practitioner', identifier: [{ system: REVIEWERS, value }] });
  }

  /** Other settings of what is filed. */
  restate(push: Partial<EhrPush>): void {
    this.ehr = { ...this.ehr, push: { ...this.ehr.push!, ...push } };
    this.nowMs += 1;
    this.sends.push({ atMs: this.nowMs, send: this.ehr.push!.send });
  }

  /** What is sent was changed while something was. */
  get hasRestated(): boolean {
    return this.sends.length > 1;
  }

  /** Whether a row may be filed without what `content` is, as the registration was changed since. */
  mayLack({ createdMs }: MemoryRow, content: PushContent): boolean {
    const since = this.sends.filter(
      ({ atMs }, place) => (this.sends[place + 1]?.atMs ?? Infinity) >= createdMs && atMs >= 0,
    );
    return since.some(({ send }) => !send.includes(content));
  }

  /** As `ResultFilings` does. */
  enqueue(isOwed = false): void {
    if (!this.isRegistered) return;
    this.table.settleIn();
    this.nowMs += 1;
    const known = new Set(this.table.rows.map(({ part }) => part));
    const all = this.versions.map(({ report }) => report);
    const told = this.table.rows.map(({ version }) => version);
    const toldFrom = told.length === 0 ? null : Math.min(...told);
    const isForgotten = toldFrom === null && isWithdrawn(all.at(-1)!) && this.table.sender.cameBackMs !== null;
    const may = isForgotten ? all.findLast((one) => !isWithdrawn(one)) : undefined;
    if (may !== undefined) for (const part of DIALECTS[this.dialect].partsOf(may, this.ehr.push!)) known.add(part);
    for (const report of takenVersions({ when: 'reviewed', toldFrom, isForgotten }, all)) {
      if (told.some((version) => version >= report.version)) continue;
      const isOlder = toldFrom === null && report.issuedAt.getTime() < this.registeredMs;
      if (isOlder && !(isOwed && isWithdrawn(report))) continue;
      const own = isWithdrawn(report) ? [] : DIALECTS[this.dialect].partsOf(report, this.ehr.push!);
      for (const part of own) known.add(part);
      for (const part of known) this.table.rows.push(this.rowOf(part, report));
    }
  }

  /** The registration is removed, and the ledger with it. */
  remove(): void {
    this.told.push('the EHR is removed');
    this.isRegistered = false;
    this.table.rows = [];
    this.backup = null;
  }

  /** And registered anew: something may stand there. */
  register(): void {
    this.told.push('the EHR is registered anew');
    this.isRegistered = true;
    this.isRestored = true;
    this.nowMs += 1;
    this.registeredMs = this.nowMs;
    this.table.sender = { sentFrom: this.table.here, cameBackMs: this.nowMs };
    // What was withdrawn meanwhile is owed.
    if (isWithdrawn(this.versions.at(-1)!.report)) this.enqueue(true);
  }

  /** One attempt of what is due, by a process that may end in it. False: nothing is due. */
  async step(death: Death | null = null): Promise<boolean> {
    if (!this.isServed || !this.isRegistered) return false;
    this.table.settleIn();
    const row = this.table.rows.find(
      ({ state, part }, place) =>
        state === 'waiting' &&
        this.table.rows.every((one, other) => other >= place || one.part !== part || one.state !== 'waiting'),
    );
    if (row === undefined) return false;
    row.attempts += 1;
    const attempt = row.attempts;
    this.isDying = death !== null;
    const writes = new MortalWrites(this.table, death);
    const transport = this.transportOf(writes);
    const outcome = await sent(transport, { ...this.ehr, push: this.ehr.push! } as never, row);
    this.told.push(
      `  ${row.part} v${row.version} #${attempt}${death === null ? '' : ` (ends ${death})`}: ${wordsOf(outcome)}`,
    );
    this.chart.faults.clear();
    this.chart.oddity = null;
    if (writes.hasDied || row.attempts !== attempt) return true;
    const verdict = judge(outcome, { failures: 0, refusals: 0 }, SENDER_TIMINGS);
    if (verdict.kind !== 'delivered' && row.state === 'waiting') this.note(row, outcome, verdict.kind === 'parked');
    return true;
  }

  private note(row: MemoryRow, outcome: Outcome<EhrOutcome>, isParked: boolean): void {
    const said = outcome.kind === 'silent' ? null : outcome.answer;
    const answer = said === null ? undefined : [said.hold ?? [], said.codes].flat().join(' ');
    const what = said === null ? ('no_answer' as const) : ('refused' as const);
    const last = row.history.at(-1);
    const isAgain = last?.what === what && last.answer === answer;
    const times = isAgain ? (last.times ?? 1) + 1 : 1;
    const at = new Date(this.nowMs).toISOString();
    const entry = { at, what, times, ...(answer === undefined || answer === '' ? {} : { answer }) };
    row.history = [...(isAgain ? row.history.slice(0, -1) : row.history), entry];
    if (isParked) Object.assign(row, { state: 'parked', hold: said?.hold ?? null });
  }

  /** A person sends it again. False: it is refused, as a later one bars it. */
  again(row: MemoryRow): boolean {
    if (this.table.isBarred(row)) return false;
    const what = row.state === 'parked' ? ('requeued' as const) : ('replayed' as const);
    row.history = [...row.history, { at: new Date(this.nowMs).toISOString(), what }];
    Object.assign(row, { state: 'waiting', hold: null });
    return true;
  }

  pass(ms: number): void {
    this.nowMs += ms;
    this.told.push(`${Math.round(ms / MINUTE_MS)} minutes pass`, ...this.chart.run().map((one) => `  late: ${one}`));
  }

  backUp(): void {
    const { table, versions, ehr } = this;
    this.backup = { rows: copyOf(table.rows), versions, sender: table.sender, ehr };
    this.told.push('back-up');
  }

  /** The database comes back as it was; false: there is no back-up. */
  restore(): boolean {
    if (this.backup === null) return false;
    this.told.push('restore');
    this.table.rows = [...copyOf(this.backup.rows)];
    this.versions = this.backup.versions;
    this.table.sender = this.backup.sender;
    this.table.here += 1;
    this.ehr = this.backup.ehr;
    this.restate({});
    this.isRestored = true;
    this.knownAtRestore = new Set(this.table.rows.filter(({ state }) => state === 'delivered').map(({ id }) => id));
    return true;
  }

  private rowOf(part: FiledPart, { version }: ClinicalReport): MemoryRow {
    const row: MemoryRow = {
      id: randomUUID(),
      part,
      reportId: this.reportId,
      version,
      state: 'waiting',
      attempts: 0,
      begun: 0,
      unsettled: false,
      open: [],
      filed: null,
      history: [],
      hold: null,
      createdMs: this.nowMs,
    };
    return row;
  }

  private transportOf(writes: MemoryWrites): EhrTransport {
    const clock: Clock = { now: () => new Date(this.nowMs) };
    const server = new EhrServer(this.chart, new AccessTokens(this.chart, null as never, clock), clock);
    const ledger = new MemoryFiled(this.table);
    const looks = new Looks(server, ledger);
    const people = new PeopleFinder(server, clock);
    const facts = new ReportFacts(this.documents, false);
    const reader = {
      read: (_ehr: Ehr, named: { readonly version: number }) => Promise.resolve(this.read(named.version)),
    };
    const filing = new ReportFiling(
      reader as unknown as FilingReader,
      null as unknown as VisitNumbers,
      people,
      new Standings(ledger, looks, new UnknownResources(facts, looks, people)),
      facts,
      new Filer(server, looks, new TransactionFiler(server, looks)),
    );
    return new EhrTransport(server, filing, ledger, writes, Logger.create('silent'), PATIENCE);
  }

  private read(version: number) {
    const versions = this.versions.map(({ report }) => report);
    const report = versions.find((one) => one.version === version);
    if (report === undefined) return null;
    const { capturedAt, review } = report.content;
    const reviewer = { system: review!.reviewer.system!, value: review!.reviewer.id };
    const patient = { patientNumber: 'MRN-4711', birthDate: null };
    const people = { ...patient, reviewer, capturedAt: new Date(capturedAt), timeZone: 'UTC' };
    return { report, versions, people, timeZone: 'UTC' };
  }

  private get documents(): ReportDocumentArchive {
    const open = (_tenant: unknown, { version }: { readonly version: number }) => {
      const { mark } = this.versions.find(({ report }) => report.version === version)!;
      return Promise.resolve({ bytes: Buffer.from(`version ${version} mark ${mark}.`), isKept: true });
    };
    return { open } as unknown as ReportDocumentArchive;
  }
}
