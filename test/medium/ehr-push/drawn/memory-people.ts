import type { Resource } from '../../../support/fake-ehr/index.js';
import { shownOf, standing, type Shown, type ShownType } from './memory-chart.js';
import type { MemoryRow } from './memory-ledger.js';
import { MINUTE_MS, type MemoryHistory } from './memory-history.js';
import { PATIENTS } from './memory-sender.js';

/** What people do with deliveries that are held: what the hold tells them. */
export class MemoryPeople {
  /** What they entered in error in the chart. */
  readonly ended = new Set<string>();
  private readonly refused = new Set<string>();
  /** By the delivery: everything that was there when they asked for it anew. */
  private readonly seen = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly history: MemoryHistory,
    private readonly hands: { haveChanged(): boolean },
  ) {}

  /** They look once all is over that may come late. */
  follow(row: MemoryRow): void {
    const { history } = this;
    const lastMs = Math.max(history.nowMs, ...history.chart.late.map(({ atMs }) => atMs));
    history.pass(lastMs - history.nowMs + MINUTE_MS);
    history.told.push(`person at ${row.part} v${row.version}: ${row.hold ?? ''}`);
    const types = typesOf(row);
    const all = types.flatMap((type) => shownOf(history, type));
    const mine = (one: Shown): boolean => this.versionOf(one.mark) === row.version;
    const up = standing(all);
    switch (row.hold) {
      case 'ehr_outcome_unknown':
        // Whoever is asked once more has that mended which never answers.
        if (this.seen.has(row.id)) history.chart.troubles.poison = null;
        if (up.some(mine)) return this.away(row);
        this.end(up);
        if (row.part === 'bundle') this.endFigures();
        this.seen.set(row.id, new Set(all.map(({ reference }) => reference)));
        return this.again(row);
      case 'ehr_duplicate':
        this.end(types.flatMap((type) => standing(shownOf(history, type)).slice(0, -1)));
        this.endCopies();
        return this.again(row);
      case 'ehr_patient_changed':
        this.admit();
        this.end(all.filter(({ patient, status }) => !this.isHere(patient) && status !== 'entered-in-error'));
        this.endOthers();
        return this.again(row);
      case 'ehr_patient_unknown':
        this.admit();
        return this.again(row);
      case 'ehr_author_unknown':
        history.reviewerIsKnown();
        return this.again(row);
      case 'ehr_refused':
      case 'ehr_own_fault':
        // Some keep a number for good, whatever became of what has it: then nothing but another version helps.
        if (this.refused.has(row.id)) return this.away(row);
        this.refused.add(row.id);
        return this.again(row);
      case 'ehr_superseded':
        this.end(up.filter(mine));
        return this.away(row);
      case 'ehr_changed_there':
        this.requireUse(row, all);
        return this.away(row);
      case 'ehr_removed_there':
      case 'ehr_report_gone':
        return this.away(row);
      case null:
      default:
        throw new Error(`Nobody expected ${row.hold ?? 'a park'}.`);
    }
  }

  /** Somebody has the number. */
  private admit(): void {
    const identifier = [{ system: PATIENTS, value: 'MRN-4711' }];
    this.history.chart.state.chart.amend(`Patient/${this.history.patientId}`, { identifier });
  }

  /** What is held as changed was, and not by what the hold before has told them to do. */
  private requireUse(row: MemoryRow, all: readonly Shown[]): void {
    const seen = this.seen.get(row.id);
    if (this.hands.haveChanged()) return;
    // What was sent by other settings is not as it would be sent now.
    if (row.part === 'bundle' && this.history.hasRestated) return;
    if (seen !== undefined && all.every(({ reference }) => seen.has(reference)) && standing(all).length === 0)
      throw new Error('What a person was told to do was of no use.');
    if (this.ended.size === 0 && !this.history.isRestored) throw new Error('Called changed, and nobody changed it.');
  }

  end(those: readonly Shown[]): void {
    for (const { reference } of those) {
      this.history.told.push(`  entered in error by hand: ${reference}`);
      this.ended.add(reference);
      this.history.chart.state.chart.amend(reference, { status: 'entered-in-error' });
    }
  }

  /** Of figures of other kinds, the newest stays. */
  private endCopies(): void {
    const { chart } = this.history.chart.state;
    const kindOf = (one: Resource): string => `${one.resourceType} ${JSON.stringify(one['code'])}`;
    const all = ['Observation', 'DiagnosticReport'].flatMap((type) => chart.ofType(type));
    const up = all.filter((one) => one['status'] !== 'entered-in-error');
    for (const [place, one] of up.entries())
      if (up.slice(place + 1).some((other) => kindOf(other) === kindOf(one)))
        chart.amend(`${one.resourceType}/${String(one['id'])}`, { status: 'entered-in-error' });
  }

  /** Figures of other kinds go with them. */
  private endOthers(): void {
    const { chart } = this.history.chart.state;
    for (const type of ['Observation', 'DiagnosticReport'])
      for (const one of chart.ofType(type))
        if (!this.isHere((one['subject'] as { readonly reference: string }).reference))
          this.endThat(`${type}/${String(one['id'])}`);
  }

  private endFigures(): void {
    const { chart } = this.history.chart.state;
    for (const type of ['Observation', 'DiagnosticReport'])
      for (const one of chart.ofType(type))
        if (one['status'] !== 'entered-in-error') this.endThat(`${type}/${String(one['id'])}`);
  }

  private endThat(reference: string): void {
    this.ended.add(reference);
    this.history.chart.state.chart.amend(reference, { status: 'entered-in-error' });
  }

  private again(row: MemoryRow): void {
    if (!this.history.again(row)) this.away(row);
  }

  private away(row: MemoryRow): void {
    row.state = 'discarded';
  }

  private isHere(patient: string): boolean {
    return patient === `Patient/${this.history.patientId}`;
  }

  private versionOf(mark: number): number | undefined {
    return this.history.versions.find((one) => one.mark === mark)?.report.version;
  }
}

export function typesOf({ part }: Pick<MemoryRow, 'part'>): readonly ShownType[] {
  if (part === 'bundle') return ['DocumentReference', 'Observation'];
  return [part === 'document' ? 'DocumentReference' : 'Observation'];
}
