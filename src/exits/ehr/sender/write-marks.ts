import { NoEhrAnswerError } from '../../../ehrs/index.js';
import type { FiledLedger, WriteAttempt } from '../queue/filed-ledger.js';
import { HeldError } from '../settings/holds.js';

/** What the ledger is told of the writes of one attempt: from before the first one on, something of the delivery may stand in the EHR. */
export class WriteMarks {
  /** Begun in this attempt, and not refused: done, or not answered. */
  private open = 0;

  constructor(
    private readonly ledger: FiledLedger,
    private readonly attempt: WriteAttempt,
    /** By an earlier attempt, of which no answer of this one tells anything. */
    private readonly wasUnsettled: boolean,
  ) {}

  /**
   * Before a write to the chart of a patient (`Patient/id`). HeldError `ehr_report_gone`, `ehr_superseded`; NoEhrAnswerError `broken_off` where another
   * process has the delivery by now. Nothing is sent then.
   */
  async begin(patient: string): Promise<void> {
    switch (await this.ledger.begin(this.attempt, patient)) {
      case 'begun':
        this.open += 1;
        return;
      case 'gone':
        throw new HeldError('ehr_report_gone');
      case 'superseded':
        throw new HeldError('ehr_superseded');
      case 'taken_over':
        throw new NoEhrAnswerError('broken_off', false);
    }
  }

  /** The write that was begun last was refused. Others of this delivery may stand there all the same: only where there is none, the mark goes. */
  async settle(): Promise<void> {
    this.open -= 1;
    if (this.open === 0 && !this.wasUnsettled) await this.ledger.settle(this.attempt);
  }
}
