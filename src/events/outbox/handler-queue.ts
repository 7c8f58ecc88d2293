import type { DeliveredEvent, EventAudience } from '../../core/domain-events/domain-event.js';
import type { Outbox } from '../../core/domain-events/outbox.js';
import type { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { failpoint } from '../../platform/failpoints.js';
import type { Logger } from '../../platform/logging/logger.js';
import { analysisContext, type TraceContext } from '../../platform/tracing/analysis-trace.js';
import { inContext, newTrace, presentContext } from '../../platform/tracing/spans.js';
import type { HandledEvents } from './handled-events.js';
import { WorkLoop } from './work-loop.js';

const BATCH = 200;

interface HandlerQueuePorts {
  readonly outbox: Outbox;
  readonly handled: HandledEvents;
  readonly logger: Logger;
  readonly onFailure: (error: unknown) => void;
}

/** An event and the trace that it happened in; null: it comes from the outbox. */
interface Handed {
  readonly event: DeliveredEvent;
  readonly during: TraceContext | null;
}

/** The events of one handler. Failed ones are retried later, for it alone. */
export class HandlerQueue extends WorkLoop {
  private readonly handed: Handed[] = [];
  private underway = 0;
  private due = false;

  constructor(
    private readonly handler: DomainEventHandler,
    private readonly ports: HandlerQueuePorts,
  ) {
    super(() => this.handleSome(), ports.onFailure);
  }

  get audience(): EventAudience | null {
    return this.handler.audience;
  }

  /** Events that were handed over, and are not yet handled. */
  get waiting(): number {
    return this.handed.length + this.underway;
  }

  /** Takes an event that is lent to this process. */
  receive(event: DeliveredEvent): void {
    this.handed.push({ event, during: presentContext() });
    this.call();
  }

  /** Events for this handler are due in the outbox. */
  look(): void {
    this.due = true;
    this.call();
  }

  private async handleSome(): Promise<boolean> {
    if (this.handed.length > 0) await this.handleAll(this.handed.splice(0, BATCH));
    else if (this.due) {
      this.due = false;
      // So that nothing that was handled here is taken again.
      await this.ports.handled.flush();
      const taken = await this.ports.outbox.takeDue(this.handler.name, BATCH);
      this.due ||= taken.length === BATCH;
      await this.handleAll(taken.map((event) => ({ event, during: null })));
    }
    return this.due || this.handed.length > 0;
  }

  private async handleAll(events: readonly Handed[]): Promise<void> {
    this.underway = events.length;
    try {
      if (events.length > 0) await failpoint('outbox_handed_over');
      const handled = await Promise.all(events.map((event) => this.handle(event)));
      if (events.length > 0) await failpoint('outbox_before_handled');
      for (const [index, { event }] of events.entries())
        if (handled[index] === true) this.ports.handled.note({ handler: this.handler.name, eventId: event.id });
    } finally {
      this.underway = 0;
    }
  }

  private async handle({ event, during }: Handed): Promise<boolean> {
    const { name, kinds } = this.handler;
    // Owed by an earlier release, whose handler listened to more.
    if (!kinds.includes(event.kind)) return true;
    try {
      const facts = {
        'sutura.event.id': event.id,
        'sutura.event.kind': event.kind,
        'sutura.event.handler': name,
      };
      await inContext(during ?? contextOf(event), 'event.handle', facts, () => this.handler.handle(event));
      return true;
    } catch (error) {
      this.ports.logger.error('outbox.handler_failed', { eventId: event.id, kind: event.kind, handler: name }, error);
      return false;
    }
  }
}

/** Events of a report belong to its analysis; where others happened is no longer known. */
function contextOf({ kind, subjectId }: DeliveredEvent): TraceContext {
  return kind.startsWith('report.') ? analysisContext(subjectId) : newTrace();
}
