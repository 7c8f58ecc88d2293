/** Bounds work that holds much memory: at most `places` at once, and together no more than `bytes`; something larger than that runs alone. */
export class WorkSlots {
  private readonly queue: { readonly bytes: number; readonly go: () => void }[] = [];
  private running = 0;
  private held = 0;

  constructor(
    private readonly places: number,
    private readonly bytes: number,
  ) {}

  /** Runs `work` once there is room for it; those that wait go in the order in which they came. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.queue.length > 0 || !this.hasRoom(bytes)) await new Promise<void>((go) => this.queue.push({ bytes, go }));
    else this.take(bytes);
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.held -= bytes;
      this.admit();
    }
  }

  private admit(): void {
    for (let first = this.queue[0]; first !== undefined && this.hasRoom(first.bytes); first = this.queue[0]) {
      this.queue.shift();
      this.take(first.bytes);
      first.go();
    }
  }

  private take(bytes: number): void {
    this.running += 1;
    this.held += bytes;
  }

  private hasRoom(bytes: number): boolean {
    return this.running === 0 || (this.running < this.places && this.held + bytes <= this.bytes);
  }
}
