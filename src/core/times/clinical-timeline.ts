/** From when on a clock went so many milliseconds ahead. */
export interface ClockMove {
  readonly at: Date;
  readonly aheadMs: number;
}

/**
 * How the time that records state goes beside real time: always at its pace, and ahead of it by what a clock was moved. Rows keep real times; what
 * follows the clock is translated by this.
 */
export class ClinicalTimeline {
  /** Oldest first; each further ahead than the one before. */
  constructor(private readonly moves: readonly ClockMove[]) {}

  /** How far ahead it is by now. */
  get aheadMs(): number {
    return this.moves.at(-1)?.aheadMs ?? 0;
  }

  /** The clinical time at a real moment, which may lie before a move. */
  at(real: Date): Date {
    const before = this.moves.findLast(({ at }) => at <= real);
    return before === undefined ? real : new Date(real.getTime() + before.aheadMs);
  }

  /**
   * The real moment at which it was this clinical time; of a time that was passed over by a move, the moment of the move. What happened before that
   * moment has an earlier clinical time, and nothing else has.
   */
  realOf(clinical: Date): Date {
    const passed = this.moves.findLastIndex(({ at, aheadMs }) => at.getTime() + aheadMs <= clinical.getTime());
    const real = new Date(clinical.getTime() - (this.moves[passed]?.aheadMs ?? 0));
    const next = this.moves[passed + 1];
    return next === undefined || real < next.at ? real : next.at;
  }
}

/** Of live, and of a tenant whose clock was never moved. */
export const REAL_TIME = new ClinicalTimeline([]);
