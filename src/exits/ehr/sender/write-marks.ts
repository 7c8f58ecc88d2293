import { NoEhrAnswerError } from '../../../ehrs/index.js';
import { BROKEN_OFF } from '../filing/refusals.js';
import type { EarlierAttempts, FilingMarks } from '../filing/filing-turn.js';
import type { KeptResource } from '../queue/kept-resource.js';
import {
  leftOpen,
  unheardOf,
  withBegun,
  withRefused,
  withTaken,
  withUnheard,
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
  private readonly answers: BegunWrite[] = [];
  private readonly doneAt: (string | null)[] = [];
  private readonly aloneIn = new Set<string>();
  private readonly foundIn = new Set<string>();
  private readonly gone = new Set<string>();
  private known: readonly KeptResource[] = [];

  constructor(
    private readonly ledger: WriteLedger,
    private readonly attempt: WriteAttempt,
    private readonly earlier: EarlierAttempts,
    private readonly terms: WriteTerms,
  ) {
    this.open = earlier.open;
  }

  sawBefore(begun: number): void {
    this.begunBefore = begun;
  }

  async begin(begun: BegunWrite): Promise<void> {
    const write = { ...begun, terms: this.terms };
    // What is never answered would be sent for ever, and may be done each time.
    if (unheardOf(this.open, write) >= MOST_UNHEARD) throw new HeldError('ehr_outcome_unknown', ['no_answer']);
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

  unheard(): Promise<void> {
    return this.note(withUnheard);
  }

  async placed(kept: readonly KeptResource[]): Promise<void> {
    if (this.last !== null) this.open = withRefused(this.open, this.last);
    await this.ledger.keep(this.attempt, this.open, this.allOf(kept));
  }

  answered(): void {
    if (this.last !== null) this.answers.push(this.last);
  }

  done(target: string | null): void {
    this.doneAt.push(target);
  }

  alone(patient: string): void {
    this.aloneIn.add(patient);
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
    const placed = { answered: this.answers, done: this.doneAt, found: this.foundIn, alone: this.aloneIn };
    const facts = { filed: this.allOf(filed), open: leftOpen(this.open, placed) };
    requireDone(await this.ledger.file(this.attempt, facts, this.begunBefore), true);
  }

  /** With what was known of it before. */
  private allOf(filed: readonly KeptResource[]): readonly KeptResource[] {
    const present = new Set([...filed.map(placeOf), ...this.gone]);
    const before = this.earlier.filed.filter((one) => !present.has(placeOf(one)));
    const listed = new Set([...present, ...before.map(placeOf)]);
    return [...this.known.filter((one) => !listed.has(placeOf(one))), ...before, ...filed];
  }

  private async note(change: typeof withRefused): Promise<void> {
    if (this.last === null) return;
    this.open = change(this.open, this.last);
    await this.ledger.keep(this.attempt, this.open);
  }
}

/** So often a write is sent of which nothing is heard; then a person is asked. */
const MOST_UNHEARD = 6;

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
      throw new NoEhrAnswerError(BROKEN_OFF, mayHaveArrived);
  }
}
