/** Below the 5 s within which a revocation takes effect even if its notification is lost. */
const LIFE_MS = 4000;
const MOST_KEYS = 10_000;

interface Entry<R> {
  readonly record: R;
  readonly readAtMs: number;
}

/** Recently read records of keys or clients, by digest or id. Unknown ones are not kept, so that a new key works at once. */
export class KeyCache<R> {
  private readonly entries = new Map<string, Entry<R>>();
  private readonly running = new Map<string, Promise<R | null>>();
  private generation = 0;

  constructor(private readonly nowMs: () => number) {}

  /** The cached record, or that of `read`, which runs once for all concurrent callers of a digest. */
  async get(digest: string, read: () => Promise<R | null>): Promise<R | null> {
    const entry = this.entries.get(digest);
    if (entry !== undefined && Math.abs(this.nowMs() - entry.readAtMs) < LIFE_MS) return entry.record;
    const running = this.running.get(digest) ?? this.start(digest, read);
    return running;
  }

  /** Forgets every record, including those that are being read. */
  clear(): void {
    this.generation += 1;
    this.entries.clear();
    this.running.clear();
  }

  private start(digest: string, read: () => Promise<R | null>): Promise<R | null> {
    const { generation } = this;
    const readAtMs = this.nowMs();
    const reading = read()
      .then((record) => {
        if (generation === this.generation) this.keep(digest, record, readAtMs);
        return record;
      })
      .finally(() => {
        if (this.running.get(digest) === reading) this.running.delete(digest);
      });
    this.running.set(digest, reading);
    return reading;
  }

  private keep(digest: string, record: R | null, readAtMs: number): void {
    this.entries.delete(digest);
    if (record === null) return;
    if (this.entries.size >= MOST_KEYS) this.entries.clear();
    this.entries.set(digest, { record, readAtMs });
  }
}
