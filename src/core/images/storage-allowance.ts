import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { ImageRepository } from './image.repository.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';

export interface StorageAllowancePorts {
  readonly unitOfWork: UnitOfWork;
  readonly images: Pick<ImageRepository, 'bytesKept'>;
  readonly clock: Clock;
}

interface Count {
  bytes: number;
  readonly readAtMs: number;
}

/** Life of a count: the next one sees what other processes added meanwhile. */
const TRUSTED_MS = 60_000;
const MOST_ORGANIZATIONS = 10_000;

/** The limit on the bytes of photos and attachments that an organization keeps, in both environments together. */
export class StorageAllowance {
  private readonly counts = new Map<string, Count>();

  /** `limitBytes` 0: no limit. */
  constructor(
    private readonly ports: StorageAllowancePorts,
    private readonly limitBytes: number,
  ) {}

  /** `storage.limit` if `moreBytes` would exceed the limit. */
  async require(organizationId: string, moreBytes: number): Promise<void> {
    if (this.limitBytes === 0) return;
    const { bytes } = await this.countOf(organizationId);
    if (bytes + moreBytes > this.limitBytes) throw new SuturaError('storage.limit');
  }

  /** Counts bytes that this process added or, below 0, erased. */
  note(organizationId: string, bytes: number): void {
    const known = this.counts.get(organizationId);
    if (known !== undefined) known.bytes += bytes;
  }

  private async countOf(organizationId: string): Promise<Count> {
    const nowMs = this.ports.clock.now().getTime();
    const known = this.counts.get(organizationId);
    if (known !== undefined && Math.abs(nowMs - known.readAtMs) < TRUSTED_MS) return known;
    const bytes = await this.ports.unitOfWork.inSystem((transaction) =>
      this.ports.images.bytesKept(transaction, organizationId),
    );
    const count = { bytes, readAtMs: nowMs };
    if (this.counts.size >= MOST_ORGANIZATIONS) this.counts.clear();
    this.counts.set(organizationId, count);
    return count;
  }
}
