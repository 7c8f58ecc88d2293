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

/** How long a count is trusted: what other processes add meanwhile is seen with the next one. */
const TRUSTED_MS = 60_000;
const MOST_ORGANIZATIONS = 10_000;

/** How many bytes of photos and attachments an organization may keep, in both environments together. */
export class StorageAllowance {
  private readonly counts = new Map<string, Count>();

  /** `limitBytes` 0: as many as there is room for. */
  constructor(
    private readonly ports: StorageAllowancePorts,
    private readonly limitBytes: number,
  ) {}

  /** `storage.limit` where so many more are too many. */
  async require(organizationId: string, moreBytes: number): Promise<void> {
    if (this.limitBytes === 0) return;
    const { bytes } = await this.countOf(organizationId);
    if (bytes + moreBytes > this.limitBytes) throw new SuturaError('storage.limit');
  }

  /** So many were added, or with a minus erased, by this process. */
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
