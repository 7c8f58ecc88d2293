import type { ApiKeyRecord } from '../../core/tenancy/api-key.js';

/** Below the 5 s within which a revocation takes effect even if its notification is lost. */
const LIFE_MS = 4000;
const MOST_KEYS = 10_000;

interface Entry {
  readonly record: ApiKeyRecord;
  readonly readAtMs: number;
}

/** Recently read key records, by digest. Unknown keys are not kept, so that a new key works at once. */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();
  private readonly running = new Map<string, Promise<ApiKeyRecord | null>>();
  private generation = 0;

  constructor(private readonly nowMs: () => number) {}

  /** The cached record, or that of `read`, which runs once for all concurrent callers of a digest. */
  async get(digest: string, read: () => Promise<ApiKeyRecord | null>): Promise<ApiKeyRecord | null> {
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

  private start(digest: string, read: () => Promise<ApiKeyRecord | null>): Promise<ApiKeyRecord | null> {
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

  private keep(digest: string, record: ApiKeyRecord | null, readAtMs: number): void {
    this.entries.delete(digest);
    if (record === null) return;
    if (this.entries.size >= MOST_KEYS) this.entries.clear();
    this.entries.set(digest, { record, readAtMs });
  }
}
