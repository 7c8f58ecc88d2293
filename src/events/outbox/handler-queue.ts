import type { DeliveredEvent } from '../../core/domain-events/domain-event.js';
import type { Outbox } from '../../core/domain-events/outbox.js';
import type { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { failpoint } from '../../platform/failpoints.js';
import type { Logger } from '../../platform/logging/logger.js';
import { WorkLoop } from './work-loop.js';

const BATCH = 200;

/** The events that one handler is owed. Those that it refuses come back later, to it alone. */
export class HandlerQueue extends WorkLoop {
  constructor(
    private readonly handler: DomainEventHandler,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
    onFailure: (error: unknown) => void,
  ) {
    super(() => this.handleDue(), onFailure);
  }

  private async handleDue(): Promise<boolean> {
    const { name } = this.handler;
    const due = await this.outbox.takeDue(name, BATCH);
    const handled = await Promise.all(due.map((event) => this.handle(event)));
    if (due.length > 0) await failpoint('outbox_before_handled');
    const done = due.filter((_, index) => handled[index] === true);
    await this.outbox.markHandled(
      name,
      done.map(({ id }) => id),
    );
    return due.length === BATCH;
  }

  private async handle(event: DeliveredEvent): Promise<boolean> {
    const { name, kinds } = this.handler;
    // Owed by an earlier release, whose handler listened to more.
    if (!kinds.includes(event.kind)) return true;
    try {
      await this.handler.handle(event);
      return true;
    } catch (error) {
      this.logger.error('outbox.handler_failed', { eventId: event.id, kind: event.kind, handler: name }, error);
      return false;
    }
  }
}
