import { performance } from 'node:perf_hooks';

interface BucketTerms {
  readonly perSecond: number;
  /** Most tokens of a bucket, and so most calls at once. An unused bucket fills up again. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

const MOST_BUCKETS = 50_000;

/**
 * Token buckets by key, with constant work per call and bounded memory. The longest unused bucket is dropped first,
 * as it is the fullest.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly terms: BucketTerms,
    private readonly nowMs: () => number = () => performance.now(),
    private readonly mostBuckets = MOST_BUCKETS,
  ) {}

  /** Takes one token and returns 0, or takes none and returns the whole seconds (1 to 60) until the next one. */
  take(key: string): number {
    const waitS = this.waitOf(key);
    if (waitS === 0) this.refresh(key).tokens -= 1;
    return waitS;
  }

  /** The whole seconds (1 to 60) until there is a token; 0: there is one. Takes none. */
  waitOf(key: string): number {
    const bucket = this.refresh(key);
    if (bucket.tokens >= 1) return 0;
    return Math.min(60, Math.max(1, Math.ceil((1 - bucket.tokens) / this.terms.perSecond)));
  }

  get size(): number {
    return this.buckets.size;
  }

  private refresh(key: string): Bucket {
    const nowMs = this.nowMs();
    const known = this.buckets.get(key);
    const bucket = known ?? { tokens: this.terms.burst, atMs: nowMs };
    bucket.tokens = Math.min(this.terms.burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * this.terms.perSecond);
    bucket.atMs = nowMs;
    // Set again, so that the order of the map is the order of use.
    if (known !== undefined) this.buckets.delete(key);
    else if (this.buckets.size >= this.mostBuckets) this.dropOldest();
    this.buckets.set(key, bucket);
    return bucket;
  }

  private dropOldest(): void {
    for (const key of this.buckets.keys()) {
      this.buckets.delete(key);
      return;
    }
  }
}
