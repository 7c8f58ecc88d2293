import { CallersFault } from './callers-fault.js';

/** The bytes of one attempt at an upload, handed out as the connection takes them. */
export class OutgoingBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Set where the photo could not be read, or the caller's own callback failed. */
  fault: CallersFault | undefined;
  /** True once everything was handed out. */
  isSpent = false;
  #isOver = false;
  #sentBytes = 0;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #listeners: ((sentBytes: number) => void)[] = [];

  constructor(
    source: AsyncIterable<Uint8Array>,
    /** The same bytes, where the platform sends such as they are. */
    readonly blob?: unknown,
  ) {
    this.#chunks = source[Symbol.asyncIterator]();
    // Nothing is read ahead: what was handed out is what was sent.
    this.stream = new ReadableStream(
      { pull: (controller) => this.#pull(controller), cancel: () => this.release() },
      { highWaterMark: 0 },
    );
  }

  onChunk(listener: (sentBytes: number) => void): void {
    this.#listeners.push(listener);
  }

  /** Tells how much went out. False where the caller's callback failed. */
  tell(sentBytes: number): boolean {
    try {
      for (const listener of this.#listeners) listener(sentBytes);
      return true;
    } catch (reason) {
      this.fault = new CallersFault(reason);
      return false;
    }
  }

  /** Closes the file, if one is open. */
  async release(): Promise<void> {
    this.#isOver = true;
    await this.#chunks.return?.();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = await this.#chunks.next();
      if (this.#isOver) return;
      if (done) {
        this.isSpent = true;
        return controller.close();
      }
      this.#sentBytes += value.byteLength;
      for (const tell of this.#listeners) tell(this.#sentBytes);
      controller.enqueue(value);
    } catch (reason) {
      if (this.#isOver) return;
      this.fault = new CallersFault(reason);
      controller.error(reason);
    }
  }
}
