import { NoEhrAnswerError } from '../../../ehrs/index.js';
import type { EarlierAttempts, FilingMarks } from '../filing/filing-turn.js';
import type { KeptResource } from '../queue/kept-resource.js';
import {
  leftOpen,
  lookedFor,
  withBegun,
  withRefused,
  withTaken,
  type BegunWrite,
  type OpenWrite,
  type WriteTerms,
} from '../queue/open-writes.js';
import type { WriteAnswer, WriteAttempt, WriteLedger } from '../queue/write-ledger.js';
import { HeldError } from '../settings/holds.js';

/** What the ledger is told of the writes of one attempt. Nothing is forgotten of earlier attempts but by the answer that says what became of them. */
export class WriteMarks implements FilingMarks {
  private open: readonly OpenWrite[];
  private last: BegunWrite | null = null;
  private begunBefore = 0;
  private answer: BegunWrite | null = null;
  private readonly foundIn = new Set<string>();
  private readonly gone = new Set<string>();
  private known: readonly KeptResource[] = [];

  constructor(
    private readonly ledger: WriteLedger,
    private readonly attempt: WriteAttempt,
    private readonly earlier: EarlierAttempts,
    private readonly terms: WriteTerms,
    isAskedAnew = false,
  ) {
    this.open = isAskedAnew ? lookedFor(earlier.open) : earlier.open;
  }

  sawBefore(begun: number): void {
    this.begunBefore = begun;
  }

  async begin(begun: BegunWrite): Promise<void> {
    const write = { ...begun, terms: this.terms };
    const open = withBegun(this.open, write);
    const { begunBefore } = this;
    requireDone(await this.ledger.begin(this.attempt, open, { patient: write.patient, begunBefore }), false);
    this.open = open;
    this.last = write;
  }

  refused(): Promise<void> {
    return this.note(withRefused);
  }

  taken(): Promise<void> {
    return this.note(withTaken);
  }

  answered(): void {
    this.answer = this.last;
  }

  found(patient: string): void {
    this.foundIn.add(patient);
  }

  adopted(found: KeptResource): void {
    this.known = [...this.known.filter((one) => placeOf(one) !== placeOf(found)), found];
  }

  forget(gone: Pick<KeptResource, 'type' | 'id'>): void {
    this.gone.add(placeOf(gone));
  }

  /**
   * Writes down that the delivery is filed, as this, beside what it was filed as before. HeldError and NoEhrAnswerError as `begin`, where another has
   * written since: then it is not, and what may stand stays known as that.
   */
  async file(filed: readonly KeptResource[]): Promise<void> {
    const present = new Set([...filed.map(placeOf), ...this.gone]);
    const before = this.earlier.filed.filter((one) => !present.has(placeOf(one)));
    const listed = new Set([...present, ...before.map(placeOf)]);
    const facts = {
      filed: [...this.known.filter((one) => !listed.has(placeOf(one))), ...before, ...filed],
      open: leftOpen(this.open, { answered: this.answer, found: this.foundIn }),
    };
    requireDone(await this.ledger.file(this.attempt, facts, this.begunBefore), true);
  }

  private async note(change: typeof withRefused): Promise<void> {
    if (this.last === null) return;
    this.open = change(this.open, this.last);
    await this.ledger.keep(this.attempt, this.open);
  }
}

function placeOf({ type, id }: Pick<KeptResource, 'type' | 'id'>): string {
  return `${type}/${id ?? ''}`;
}

function requireDone(answer: WriteAnswer, mayHaveArrived: boolean): void {
  switch (answer) {
    case 'done':
      return;
    case 'gone':
      throw new HeldError('ehr_report_gone');
    case 'superseded':
      throw new HeldError('ehr_superseded');
    case 'taken_over':
      throw new NoEhrAnswerError('broken_off', mayHaveArrived);
  }
}
