/** Runs rounds of work, one at a time; the next begins at once if there is more to do or the loop was woken. */
export class WorkLoop {
  private running: Promise<void> | undefined;
  private called = false;
  private stopped = false;

  /** `round` answers whether there is more to do. Where it rejects, the loop rests until the next call. */
  constructor(
    private readonly round: () => Promise<boolean>,
    protected readonly onFailure: (error: unknown) => void,
  ) {}

  call(): void {
    this.called = true;
    if (this.running !== undefined || this.stopped) return;
    this.running = this.run().finally(() => {
      this.running = undefined;
      if (this.called) this.call();
    });
  }

  /** Resolves once the round in progress has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      for (let more = true; (more || this.called) && !this.stopped;) {
        this.called = false;
        more = await this.round();
      }
    } catch (error) {
      this.called = false;
      this.onFailure(error);
    }
  }
}
