import { answerWith, type Answer, type Fault } from '../../../support/fake-ehr/index.js';
import { MINUTE_MS, type MemoryHistory } from './memory-history.js';
import type { Oddity } from './memory-oddities.js';

const HTML = Buffer.from('<html></html>');
const HOUR_MS = 60 * MINUTE_MS;
const SOON_MS = 3 * MINUTE_MS;
/** What comes late comes within seconds, after all patience, or on another day. */
export const LATENESS_MS = [10_000, 3 * MINUTE_MS, 20 * MINUTE_MS, 3 * HOUR_MS, 30 * HOUR_MS];

/** How the history decides. */
export interface Draws {
  random(): number;
  draw<T>(list: readonly T[]): T;
}

/** What happens to requests of one history. */
export class MemoryFaults {
  constructor(
    private readonly history: MemoryHistory,
    private readonly draws: Draws,
    /** What somebody does in the chart meanwhile. */
    private readonly touch: () => void,
    private readonly areRefused: boolean,
  ) {}

  /** A request was answered as if somebody had changed what it is about. */
  hasConflicts = false;

  /** What happens to one request of the next attempt. */
  plan(): void {
    if (this.draws.random() < 0.2) return this.planOdd();
    const { history } = this;
    const method = this.draws.draw(['POST', 'POST', 'PUT', 'GET'] as const);
    const writes: readonly (readonly [string, Fault])[] = [
      ['is late', this.late(null)],
      ['is taken, and late', this.late({ status: this.draws.draw([201, 202]) })],
      ['is taken at once', { kind: 'accepted' }],
      ['is done, behind a page', { kind: 'garbage' }],
      ['meets another process', this.stolen()],
      ['meets a hand', { kind: 'before', act: () => this.touch() }],
    ];
    const faults: readonly (readonly [string, Fault])[] = [
      ['is lost', { kind: 'drop-before' }],
      ['is done and not answered', { kind: 'drop-after' }],
      ['is answered with 404 by a proxy', { kind: 'answer', answer: { status: 404, bytes: HTML } }],
      ['is answered with a page', { kind: 'answer', answer: { status: 200, bytes: HTML } }],
      ...[401, 409, 412, 422, 429, 500, 503].map((status) => [String(status), answerWith(status, 0)] as const),
    ];
    const isWrite = method !== 'GET' && this.draws.random() < (this.areRefused ? 0.3 : 0.65);
    const [what, fault] = this.draws.draw(isWrite ? writes : faults);
    this.hasConflicts ||= what === '412' || what === '409';
    history.told.push(`  the next ${method} ${what}`);
    history.chart.faults.plan(fault, {
      method,
      path: '/fhir',
      ...(fault.kind === 'answer' && fault.answer.status === 401 ? { times: 2 } : {}),
    });
  }

  /** What no strict server does. */
  private planOdd(): void {
    const { chart, told } = this.history;
    const [what, oddity] = this.draws.draw<readonly [string, Oddity]>([
      ['is taken and named, and shows late or never', this.shownLate()],
      ['is looked at, taken, and late', { kind: 'parked', hold: this.holding() }],
      ['is looked at, taken by its entries, and late', { kind: 'entries-taken', hold: this.holding() }],
      ['is called done, and is not', { kind: 'ignored' }],
    ]);
    told.push(`  the next write ${what}`);
    chart.oddity = oddity;
  }

  /** Of work that is done later, or never: soon, where nobody hears that it is taken (docs/decisions/0136, what is not proven). */
  private holding(): (run: () => void) => void {
    const { history } = this;
    const afterMs = this.draws.draw(LATENESS_MS);
    const isDone = this.draws.random() < 0.7;
    return (run) => {
      const work = () => (isDone ? (run(), 'done') : 'never');
      const restMs = history.isDying ? Math.min(afterMs, SOON_MS) : afterMs;
      history.chart.late.push({ atMs: history.nowMs + restMs, work });
    };
  }

  private late(answer: Answer | null): Fault {
    const { history } = this;
    const afterMs = this.draws.draw(LATENESS_MS);
    const isDone = this.draws.random() < 0.7;
    const hold = (run: () => Promise<Answer>): void => {
      const work = () => (isDone ? (void run(), 'done') : 'never');
      history.chart.late.push({ atMs: history.nowMs + afterMs, work });
    };
    return { kind: 'late', answer, hold };
  }

  /** 202 with the place of what is made, which nobody sees before, or ever. */
  private shownLate(): Oddity {
    const { history } = this;
    const { chart } = history;
    const afterMs = this.draws.draw(LATENESS_MS);
    const isShown = this.draws.random() < 0.6;
    return {
      kind: 'taken-named',
      hide: (reference: string) => {
        const atMs = history.nowMs + afterMs;
        chart.hide(reference, atMs, true);
        chart.late.push({
          atMs,
          work: () =>
            isShown ? `${reference} is shown` : (chart.state.chart.drop(reference), `${reference} is not made`),
        });
      },
    };
  }

  private stolen(): Fault {
    return {
      kind: 'before',
      act: async () => {
        this.history.told.push('  (the lease is lost)');
        await this.history.step();
      },
    };
  }
}
