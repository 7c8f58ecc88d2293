import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { DOMAIN_EVENT_KINDS, type DeliveredEvent, type EventAudience } from '../../core/domain-events/domain-event.js';
import type { EventReceiver, EventRoutes, Outbox } from '../../core/domain-events/outbox.js';
import type { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import type { Logger } from '../../platform/logging/logger.js';
import { HandledEvents } from './handled-events.js';
import { HandlerQueue } from './handler-queue.js';
import { registerOutboxMetrics } from './outbox.metrics.js';
import { WorkLoop } from './work-loop.js';

const BATCH = 200;
/** Events in memory beyond which a handler's further ones wait in the outbox. */
const MOST_WAITING = 100;
const POLL_MS = 1000;
const UNCLAIMED_CHECK_MS = 3_600_000;
/** Age at which events of a removed handler are deleted. A week covers a rolled-back upgrade. */
const UNCLAIMED_AGE_S = 7 * 86_400;

/**
 * Delivers committed events to their handlers, at least once: those of this process directly after the commit, those left behind by another process by polling. Each handler has its own queue, so that a slow or failing one does not block others.
 */
export class OutboxRelay implements EventReceiver, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly fanOut = new WorkLoop(
    () => this.fanOutNew(),
    (error) => this.unreachable(error),
  );
  private readonly handled: HandledEvents;
  private readonly queues = new Map<string, HandlerQueue>();
  routes: EventRoutes = {};
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private unclaimedCheckedAt = -Infinity;

  /** `findHandlers` is called once, when all of them are there. */
  constructor(
    private readonly outbox: Outbox,
    private readonly findHandlers: () => readonly DomainEventHandler[],
    private readonly logger: Logger,
  ) {
    this.handled = new HandledEvents(outbox, (error) => this.unreachable(error));
  }

  onApplicationBootstrap(): void {
    const handlers = this.findHandlers();
    for (const handler of handlers) {
      if (this.queues.has(handler.name)) throw new Error(`Two handlers of events have the name ${handler.name}.`);
      this.queues.set(
        handler.name,
        new HandlerQueue(handler, {
          outbox: this.outbox,
          handled: this.handled,
          logger: this.logger,
          onFailure: (error) => this.unreachable(error),
        }),
      );
    }
    this.routes = Object.fromEntries(
      DOMAIN_EVENT_KINDS.map((kind) => [
        kind,
        handlers.filter(({ kinds }) => kinds.includes(kind)).map(({ name }) => name),
      ]),
    );
    this.outbox.attach(this);
    registerOutboxMetrics(this.outbox, [...this.queues.keys()]);
    this.timer = setInterval(() => this.wake(), POLL_MS);
    this.wake();
  }

  /** Before the connections close. Events that are committed from now on leave with another process, or with the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await Promise.all([this.fanOut, ...this.queues.values()].map((loop) => loop.stop()));
    await this.handled.stop();
  }

  hasRoom(): boolean {
    return !this.stopped && [...this.queues.values()].every(({ waiting }) => waiting < MOST_WAITING);
  }

  audienceOf(handler: string): EventAudience | null {
    return this.queues.get(handler)?.audience ?? null;
  }

  receive(event: DeliveredEvent, handlers: readonly string[]): void {
    for (const handler of handlers) this.queues.get(handler)?.receive(event);
  }

  /** Events may be due. */
  wake(): void {
    this.fanOut.call();
  }

  private async fanOutNew(): Promise<boolean> {
    const { taken, due, unknown } = await this.outbox.fanOut(this.routes, BATCH);
    // An event of a newer release: left for a process of that release.
    for (const { id, kind } of unknown) this.logger.warn('outbox.kind_unknown', { eventId: id, kind });
    for (const handler of due) this.queues.get(handler)?.look();
    await this.dropUnclaimed();
    return taken === BATCH;
  }

  private async dropUnclaimed(): Promise<void> {
    const now = performance.now();
    if (now - this.unclaimedCheckedAt < UNCLAIMED_CHECK_MS) return;
    this.unclaimedCheckedAt = now;
    const dropped = await this.outbox.dropUnclaimed([...this.queues.keys()], UNCLAIMED_AGE_S);
    for (const [handler, events] of dropped) this.logger.warn('outbox.handler_gone', { handler, events });
  }

  /** Database unavailable: claimed events are delivered again, and the poll retries. */
  private unreachable(error: unknown): void {
    this.logger.warn('outbox.unreachable', { error: error instanceof Error ? error.name : 'unknown' });
  }
}
