import { isEdited, shownOf, standing, type Shown } from './memory-chart.js';
import type { MemoryHistory } from './memory-history.js';
import { typesOf, type MemoryPeople } from './memory-people.js';

/** What must hold of one history. */
export class MemoryChecks {
  /** What a clinician wrote into. */
  readonly edited = new Set<string>();
  /** A patient's number is another record's now. */
  hasMoved = false;

  constructor(
    private readonly history: MemoryHistory,
    private readonly people: MemoryPeople,
  ) {}

  /** What holds after every step. */
  check(): void {
    const { chart } = this.history.chart.state;
    for (const reference of this.edited) {
      const now = chart.current(reference);
      if (now !== undefined && !isEdited(now) && now['status'] !== 'entered-in-error')
        throw new Error(`What a clinician wrote into ${reference} is gone.`);
    }
    for (const reference of this.people.ended) {
      const status = chart.current(reference)?.['status'];
      if (status !== undefined && status !== 'entered-in-error') throw new Error(`${reference} came back.`);
    }
  }

  /** Nothing is under way: what the ledger calls filed is so, or a person sees that it is not. */
  checkSaid(): void {
    this.check();
    const { table, versions } = this.history;
    if (table.rows.length === 0) this.requireNothing();
    for (const part of new Set(table.rows.map((one) => one.part))) {
      const rows = table.rows.filter((one) => one.part === part);
      const newest = rows.at(-1)!;
      // What was filed since the back-up is told to whoever restores it.
      const isUntouched = this.history.knownAtRestore.has(newest.id);
      if (isUntouched || newest.state !== 'delivered') continue;
      const made = versions.find(({ report }) => report.version === newest.version)!;
      for (const type of typesOf(newest)) {
        const content = type === 'Observation' ? 'observations' : 'pdf';
        const mayLack = newest.part === 'bundle' && this.history.mayLack(newest, content);
        const isWithdrawn = made.report.status === 'entered-in-error';
        this.checkType(shownOf(this.history, type), { mark: made.mark, isWithdrawn, mayLack }, type);
      }
    }
  }

  /** Nobody is told of anything: no withdrawn report stands there. */
  private requireNothing(): void {
    const isWithdrawn = this.history.versions.at(-1)!.report.status === 'entered-in-error';
    const up = (['DocumentReference', 'Observation'] as const).flatMap((type) => standing(shownOf(this.history, type)));
    if (isWithdrawn && up.length > 0) throw new Error(`Withdrawn, stands, and nobody is told: ${JSON.stringify(up)}`);
  }

  private checkType(
    all: readonly Shown[],
    { mark, isWithdrawn, mayLack }: { readonly mark: number; readonly isWithdrawn: boolean; readonly mayLack: boolean },
    type: string,
  ): void {
    const { dialect, patientId } = this.history;
    const up = standing(all);
    const said = JSON.stringify(up);
    const isFurther = type === 'DocumentReference' && (dialect === 'epic' || dialect === 'isik');
    if (new Set(up.map((one) => one.mark)).size < up.length) throw new Error(`Filed twice: ${said}`);
    const others = up.filter((one) => one.mark !== mark);
    const own = up.filter((one) => one.mark === mark);
    if (isWithdrawn && !isFurther && up.length > 0) throw new Error(`Called withdrawn, and stands: ${said}`);
    const isGone = all.some((one) => one.mark === mark && this.people.ended.has(one.reference));
    if (isWithdrawn && isFurther && others.length > 0 && own.length === 0 && !isGone)
      throw new Error(`Called withdrawn, and is not: ${said}`);
    if (isWithdrawn) return;
    if (dialect !== 'epic' || type === 'Observation')
      if (others.length > 0) throw new Error(`Called filed, and another stands: ${said}`);
    if (own.length === 0 && !isGone && !mayLack)
      throw new Error(`Called filed, and is not there: ${JSON.stringify(all)}`);
    if (own.some(({ patient }) => patient !== `Patient/${patientId}`) && !this.hasMoved)
      throw new Error(`In another chart: ${said}`);
  }
}
