import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DOMAIN_EVENT_KINDS, type DeliveredEvent } from '../../core/domain-events/domain-event.js';
import type { DomainEventHandler, Outbox } from '../../core/ports/outbox.js';
import type { Logger } from '../../platform/logging/logger.js';

const BATCH = 200;
const POLL_MS = 1000;

/**
 * Hands committed events to their handlers, at least once: at once for this process's own commits, by a poll for what
 * another process left behind. An event that any handler refuses stays in the outbox and comes back later.
 */
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private nudged = false;
  private stopped = false;
  private handlers: readonly DomainEventHandler[] = [];

  /** `findHandlers` is asked once, when all of them are there. */
  constructor(
    private readonly outbox: Outbox,
    private readonly findHandlers: () => readonly DomainEventHandler[],
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.handlers = this.findHandlers();
    this.outbox.onAppended(() => this.nudge());
    this.timer = setInterval(() => this.nudge(), POLL_MS);
    this.nudge();
  }

  /** Before the connections close. What is committed from now on leaves with another process, or with the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Starts a round unless one is running; then that one goes on until nothing is due. */
  nudge(): void {
    this.nudged = true;
    if (this.running !== undefined || this.stopped) return;
    this.running = this.drain().finally(() => {
      this.running = undefined;
      if (this.nudged && !this.stopped) this.nudge();
    });
  }

  private async drain(): Promise<void> {
    try {
      let full = true;
      while ((this.nudged || full) && !this.stopped) {
        this.nudged = false;
        const due = await this.outbox.takeDue(BATCH);
        const settled = await Promise.all(due.map((event) => this.deliver(event)));
        const delivered = due.filter((_, index) => settled[index] === true).map((event) => event.id);
        if (delivered.length > 0) await this.outbox.markDelivered(delivered);
        full = due.length === BATCH;
      }
    } catch (error) {
      // The database is away: what was taken comes back, and the poll tries again.
      this.nudged = false;
      this.logger.warn('outbox.unreachable', { error: error instanceof Error ? error.name : 'unknown' });
    }
  }

  private async deliver(event: DeliveredEvent): Promise<boolean> {
    if (!DOMAIN_EVENT_KINDS.includes(event.kind)) {
      // A newer release tells of something that this one does not know: it stays for a process of that release.
      this.logger.warn('outbox.kind_unknown', { eventId: event.id, kind: event.kind });
      return false;
    }
    const handlers = this.handlers.filter((handler) => handler.kinds.includes(event.kind));
    const results = await Promise.allSettled(handlers.map((handler) => handler.handle(event)));
    results.forEach((result, index) => {
      if (result.status === 'rejected') {
        this.logger.error(
          'outbox.handler_failed',
          { eventId: event.id, kind: event.kind, handler: handlers[index]!.name },
          result.reason,
        );
      }
    });
    return results.every((result) => result.status === 'fulfilled');
  }
}
