import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { largeBodies, SMALL_BODY_BYTES } from '../turns/large-bodies.js';

/** A body up to this size is always taken, so that small requests do not wait for large ones. */
const SMALL_BYTES = SMALL_BODY_BYTES;
/** Seconds after which a refused caller may try again: a large body is read and worked on within them. */
const RETRY_AFTER_S = 5;

declare module 'fastify' {
  interface FastifyInstance {
    bodyBudget?: BodyBudget;
  }
}

/**
 * Limits the bytes of request bodies that a process holds at once, each counted from its arrival until the request is
 * answered. Beyond the limit a large body is refused, never kept waiting, and one organization has half of it at
 * most. Bytes that were only announced take no room from others.
 */
export class BodyBudget {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly shares = new WeakMap<IncomingMessage, BodyShare>();

  constructor(private readonly limitBytes: number) {}

  get heldBytes(): number {
    return this.held;
  }

  /** The share of the budget that the body of this request takes. */
  shareOf({ raw, note }: FastifyRequest): BodyShare {
    const share = this.shares.get(raw) ?? new BodyShare(this, note?.caller?.organizationId ?? null);
    this.shares.set(raw, share);
    return share;
  }

  /** To be called once the answer of a request is made, which a slow reader may take minutes to read: frees its place. */
  settle({ raw }: FastifyRequest): void {
    this.shares.get(raw)?.settle();
  }

  /** Frees the share of a request that was answered or whose caller went. */
  release({ raw }: FastifyRequest): void {
    this.shares.get(raw)?.release();
  }

  /** True if so many more bytes are too many. */
  lacksRoom(holder: string | null, bytes: number): boolean {
    const ofHolder = holder === null ? 0 : (this.heldBy.get(holder) ?? 0);
    return this.held + bytes > this.limitBytes || ofHolder + bytes > this.limitBytes / 2;
  }

  /** Adds to the bytes held; a negative number frees them. */
  count(holder: string | null, bytes: number): void {
    this.held += bytes;
    if (holder === null) return;
    const ofHolder = (this.heldBy.get(holder) ?? 0) + bytes;
    if (ofHolder > 0) this.heldBy.set(holder, ofHolder);
    else this.heldBy.delete(holder);
  }
}

/** One body's part of the budget. */
export class BodyShare {
  private bytes = 0;
  private isOver = false;
  private leavePlace: () => void = () => undefined;

  constructor(
    private readonly budget: BodyBudget,
    /** The owner of the body; null while unknown. */
    private readonly holder: string | null,
  ) {}

  /** To be called before the first byte is read. `service.busy`. */
  admit(announcedBytes: number): void {
    if (announcedBytes > SMALL_BYTES && this.budget.lacksRoom(this.holder, announcedBytes)) this.refuse();
  }

  /** Counts further bytes. `service.busy`. */
  add(bytes: number): void {
    if (this.isOver) return;
    if (this.bytes + bytes > SMALL_BYTES && this.budget.lacksRoom(this.holder, bytes)) this.refuse();
    this.bytes += bytes;
    this.budget.count(this.holder, bytes);
  }

  release(): void {
    if (!this.isOver) this.budget.count(this.holder, -this.bytes);
    this.isOver = true;
    this.leavePlace();
  }

  /** To be called before values are made of a large body. Waits for the organization's share of the time for such bodies. `service.busy`. */
  async unfold(): Promise<void> {
    if (this.bytes <= SMALL_BYTES) return;
    const leave = await largeBodies.begin(this.holder ?? '', this.bytes);
    if (this.isOver) leave();
    else this.leavePlace = leave;
  }

  /** Frees the place. */
  settle(): void {
    this.leavePlace();
  }

  /** Frees the share and refuses, as the body is not kept. */
  private refuse(): never {
    this.release();
    throw new SuturaError('service.busy', { retryAfterS: RETRY_AFTER_S });
  }
}
