import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { NotificationListener } from '../../../platform/database/notification-listener.js';
import { Logger } from '../../../platform/logging/logger.js';
import { DestinationRegister } from '../destinations/destination-register.js';
import type { Hl7Destination } from '../hl7-destination.js';
import { LateAnswers, type LateAnswer } from '../outbox/late-answers.js';
import { RESULTS_OUT_CHANNEL } from '../outbox/outbound-message.js';
import { SenderRows } from '../outbox/sender-rows.js';
import { DestinationSender } from './destination-sender.js';
import { OutboundMetrics } from './outbound.metrics.js';
import { SenderLines } from './sender-line.js';
import { SenderTimings } from './sender-timings.js';

interface Running {
  /** The destination as the sender was made for it. */
  readonly shape: string;
  readonly sender: DestinationSender;
}

/** One sender a destination that is switched on. Every process has one for each; the lease says which of them sends. */
@Injectable()
export class SenderPool implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly senders = new Map<string, Running>();
  private unlisten: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly destinations: DestinationRegister,
    private readonly rows: SenderRows,
    private readonly lines: SenderLines,
    private readonly lateAnswers: LateAnswers,
    private readonly metrics: OutboundMetrics,
    private readonly notifications: NotificationListener,
    private readonly logger: Logger,
    private readonly timings: SenderTimings,
  ) {}

  onApplicationBootstrap(): void {
    this.unlisten = this.notifications.on(RESULTS_OUT_CHANNEL, (payload) => {
      const [destinationId = '', atOnce] = payload.split(' ');
      const running = this.senders.get(destinationId);
      if (running === undefined) this.look();
      else running.sender.nudge(atOnce === 'now');
    });
    this.timer = setInterval(() => this.look(), this.timings.pollMs);
    this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.unlisten?.();
    await this.looking;
    await Promise.all([...this.senders.values()].map(({ sender }) => sender.stop()));
    this.senders.clear();
  }

  /** Starts and stops senders until there is one for each destination as it is now. */
  private look(): void {
    if (this.stopped) return;
    this.looking ??= this.adjust()
      .catch((error: unknown) =>
        this.logger.warn('hl7.destinations_unknown', { error: error instanceof Error ? error.name : 'unknown' }),
      )
      .finally(() => {
        this.looking = null;
      });
  }

  private async adjust(): Promise<void> {
    const wanted = new Map(
      (await this.destinations.all())
        .filter(({ enabled }) => enabled)
        .map((destination) => [destination.id, destination]),
    );
    for (const [id, { shape, sender }] of this.senders) {
      const destination = wanted.get(id);
      if (destination !== undefined && shapeOf(destination) === shape) continue;
      this.senders.delete(id);
      await sender.stop();
    }
    if (this.stopped) return;
    for (const destination of wanted.values()) if (!this.senders.has(destination.id)) this.open(destination);
  }

  private open(destination: Hl7Destination): void {
    const { rows, lines, metrics, logger } = this;
    const onLateAnswer = (of: Hl7Destination, answer: LateAnswer) => this.answered(of, answer);
    const sender = new DestinationSender(destination, { rows, lines, metrics, logger, onLateAnswer }, this.timings);
    this.senders.set(destination.id, { shape: shapeOf(destination), sender });
    sender.start();
  }

  private async answered(destination: Hl7Destination, answer: LateAnswer): Promise<void> {
    try {
      await this.lateAnswers.take(destination, answer);
    } catch (error) {
      this.logger.warn('hl7.late_acknowledgment_lost', {
        destinationId: destination.id,
        error: error instanceof Error ? error.name : 'unknown',
      });
    }
  }
}

function shapeOf({ settings }: Hl7Destination): string {
  return JSON.stringify(settings);
}
