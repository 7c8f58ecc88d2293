import { onAbort } from './aborts.js';
import type { AbortSignalLike } from './options.js';

/** setTimeout takes no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Ends one request: when the caller says so, or after too long a silence. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #forget: () => void;
  readonly end = (): void => this.#controller.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;
  isOverdue = false;

  constructor(
    caller: AbortSignalLike | undefined,
    readonly timeoutMs: number,
  ) {
    this.#forget = onAbort(caller, this.end);
    this.refresh();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something moved: the time counts anew. */
  refresh(): void {
    clearTimeout(this.#timer);
    if (this.timeoutMs > LONGEST_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.isOverdue = true;
      this.end();
    }, this.timeoutMs);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }
}
