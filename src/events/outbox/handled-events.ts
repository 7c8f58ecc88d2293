import type { HandledEvent, Outbox } from '../../core/domain-events/outbox.js';
import { WorkLoop } from './work-loop.js';

/** Well before the events would come again, which does no harm but costs. */
const GATHER_MS = 500;
const BATCH = 500;

/**
 * Strikes handled events off, many in one statement. A process that is killed before leaves them, and their handlers hear of them
 * once more.
 */
export class HandledEvents extends WorkLoop {
  private noted: HandledEvent[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly outbox: Pick<Outbox, 'markHandled'>,
    onFailure: (error: unknown) => void,
  ) {
    super(() => this.flush(), onFailure);
  }

  note(event: HandledEvent): void {
    this.noted.push(event);
    if (this.noted.length >= BATCH) this.call();
    else this.timer ??= setTimeout(() => this.call(), GATHER_MS);
  }

  /** Flushes the rest. */
  override async stop(): Promise<void> {
    clearTimeout(this.timer);
    await super.stop();
    await this.flush().catch(this.onFailure);
  }

  /** Strikes off what is noted now. True: as much again was noted meanwhile. */
  async flush(): Promise<boolean> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const done = this.noted;
    this.noted = [];
    try {
      await this.outbox.markHandled(done);
    } catch (error) {
      this.noted = [...done, ...this.noted];
      // Database unavailable: they are deleted with the next batch, or delivered again.
      throw error;
    }
    return this.noted.length >= BATCH;
  }
}
