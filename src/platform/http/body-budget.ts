import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { JSON_BODY_LIMIT_BYTES } from './limits.js';

/** A body up to here is taken whatever else is held, so that small requests do not wait for large ones. */
const SMALL_BYTES = JSON_BODY_LIMIT_BYTES;
/** A large body is read and worked on within seconds. */
const RETRY_AFTER_S = 5;

declare module 'fastify' {
  interface FastifyInstance {
    bodyBudget?: BodyBudget;
  }
}

/**
 * How many bytes of request bodies a process holds at once, from the first that comes until the request is answered: what is read is kept
 * as long as it is worked on. Beyond the limit a large body is refused, never kept waiting, and one organization has half of it at most.
 * Bytes count as they come; what was only announced takes no room from others.
 */
export class BodyBudget {
  private held = 0;
  private readonly heldBy = new Map<string, number>();
  private readonly shares = new WeakMap<IncomingMessage, BodyShare>();

  constructor(private readonly limitBytes: number) {}

  get heldBytes(): number {
    return this.held;
  }

  /** What the body of this request counts against. */
  shareOf({ raw, note }: FastifyRequest): BodyShare {
    const share = this.shares.get(raw) ?? new BodyShare(this, note?.caller?.organizationId ?? null);
    this.shares.set(raw, share);
    return share;
  }

  /** The request was answered, or its caller went. */
  release({ raw }: FastifyRequest): void {
    this.shares.get(raw)?.release();
  }

  /** Whether so many more are too many. */
  lacksRoom(holder: string | null, bytes: number): boolean {
    const ofHolder = holder === null ? 0 : (this.heldBy.get(holder) ?? 0);
    return this.held + bytes > this.limitBytes || ofHolder + bytes > this.limitBytes / 2;
  }

  /** So many are held, or with a minus no longer. */
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

  constructor(
    private readonly budget: BodyBudget,
    /** Whose body it is; null: nobody's that is known yet. */
    private readonly holder: string | null,
  ) {}

  /** Before the first byte is read. `service.busy`. */
  admit(announcedBytes: number): void {
    if (announcedBytes > SMALL_BYTES && this.budget.lacksRoom(this.holder, announcedBytes)) this.refuse();
  }

  /** So many more have come. `service.busy`. */
  add(bytes: number): void {
    if (this.isOver) return;
    if (this.bytes + bytes > SMALL_BYTES && this.budget.lacksRoom(this.holder, bytes)) this.refuse();
    this.bytes += bytes;
    this.budget.count(this.holder, bytes);
  }

  release(): void {
    if (!this.isOver) this.budget.count(this.holder, -this.bytes);
    this.isOver = true;
  }

  /** What came of it is not kept. */
  private refuse(): never {
    this.release();
    throw new SuturaError('service.busy', { retryAfterS: RETRY_AFTER_S });
  }
}
