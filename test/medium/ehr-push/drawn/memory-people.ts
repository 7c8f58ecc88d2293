import { shownOf, standing, type Shown, type ShownType } from './memory-chart.js';
import type { MemoryRow } from './memory-ledger.js';
import { MINUTE_MS, type MemoryHistory } from './memory-history.js';
import { PATIENTS } from './memory-sender.js';

/** What people do with deliveries that are held: what the hold tells them. */
export class MemoryPeople {
  /** What they entered in error in the chart. */
  readonly ended = new Set<string>();
  private readonly refused = new Set<string>();

  constructor(private readonly history: MemoryHistory) {}

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
        if (up.some(mine)) return this.away(row);
        this.end(up);
        return this.again(row);
      case 'ehr_duplicate':
        this.end(types.flatMap((type) => standing(shownOf(history, type)).slice(0, -1)));
        return this.again(row);
      case 'ehr_patient_changed':
        this.end(all.filter(({ patient, status }) => !this.isHere(patient) && status !== 'entered-in-error'));
        this.endOthers();
        return this.again(row);
      case 'ehr_patient_unknown':
        history.chart.state.chart.amend(`Patient/${history.patientId}`, {
          identifier: [{ system: PATIENTS, value: 'MRN-4711' }],
        });
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
      case 'ehr_removed_there':
      case 'ehr_report_gone':
        return this.away(row);
      case null:
      default:
        throw new Error(`Nobody expected ${row.hold ?? 'a park'}.`);
    }
  }

  end(those: readonly Shown[]): void {
    for (const { reference } of those) {
      this.history.told.push(`  entered in error by hand: ${reference}`);
      this.ended.add(reference);
      this.history.chart.state.chart.amend(reference, { status: 'entered-in-error' });
    }
  }

  /** Figures of other kinds go with them. */
  private endOthers(): void {
    const { chart } = this.history.chart.state;
    for (const type of ['Observation', 'DiagnosticReport'])
      for (const one of chart.ofType(type))
        if (!this.isHere((one['subject'] as { readonly reference: string }).reference))
          chart.amend(`${type}/${String(one['id'])}`, { status: 'entered-in-error' });
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
