import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import { Settings } from '../../../platform/config/settings.js';
import { NotificationListener } from '../../../platform/database/notification-listener.js';
import { Logger } from '../../../platform/logging/logger.js';
import type { HeldMessage, SealedMessage } from '../store/inbound-record.js';
import { INBOUND_CHANNEL, InboundStore, LeaseLost } from '../store/inbound-store.js';
import { MessageProcessor } from './message-processor.js';
import { MessageRunner } from './message-runner.js';
import { IncomingTraffic } from './incoming-traffic.js';
import { SourceDirectory } from '../listeners/source-directory.js';

/** Sources that are served at once; within a source messages go one after another, as they came. */
const RUNNERS = 2;
/** A message that ended the process this often, or met a fault of the program, is given up. */
const MOST_ATTEMPTS = 5;
const UNAVAILABLE_PAUSE_S = 5;
/** The longest that what was accepted waits, each time, for messages that are being received: a stream without a pause has two mapped in a second. */
const PATIENCE_MS = 1000;

/** Works on messages that were accepted, and on those that a process left unfinished. */
@Injectable()
export class InboundWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runners: (Promise<void> | null)[] = Array.from({ length: RUNNERS }, () => null);
  private timer: NodeJS.Timeout | undefined;
  private forget: (() => void) | undefined;
  private nudges = 0;
  /** Since the last nudge a runner found nothing that is not being worked on. */
  private isDry = false;
  private stopped = false;

  constructor(
    private readonly store: InboundStore,
    private readonly runs: MessageRunner,
    private readonly processor: MessageProcessor,
    private readonly sources: SourceDirectory,
    private readonly receptions: IncomingTraffic,
    private readonly notifications: NotificationListener,
    private readonly logger: Logger,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.forget = this.notifications.on(INBOUND_CHANNEL, () => this.poke());
    this.timer = setInterval(() => this.poke(), this.settings.workers.sweepIntervalMs);
    this.poke();
  }

  /** Lets what is being worked on end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.forget?.();
    await Promise.all(this.runners);
  }

  /** There may be something to do. */
  poke(): void {
    this.nudges += 1;
    this.isDry = false;
    if (this.stopped) return;
    // One at a time: a second runner begins once the first has found something.
    this.startRunner();
  }

  private startRunner(): void {
    const free = this.runners.indexOf(null);
    if (free === -1 || this.stopped) return;
    this.runners[free] = this.run().finally(() => {
      this.runners[free] = null;
    });
  }

  private async run(): Promise<void> {
    try {
      for (let seen = -1; !this.stopped && seen !== this.nudges;) {
        seen = this.nudges;
        for (let held = await this.next(); held !== null; held = await this.next()) {
          if (!this.isDry) this.startRunner();
          if ('sealed' in held) this.tellOf(held);
          else await this.workOn(held);
        }
        this.isDry = true;
      }
    } catch (fault) {
      // The database is away: the next poll tries again.
      this.logger.warn('hl7.inbox_unreachable', { error: fault instanceof Error ? fault.name : 'unknown' });
    }
  }

  private async next(): Promise<HeldMessage | SealedMessage | null> {
    await this.receptions.lull(PATIENCE_MS);
    return this.stopped ? null : this.store.claimNext();
  }

  private async workOn(held: HeldMessage): Promise<void> {
    const { record } = held;
    try {
      const source = await this.sources.of(record);
      if (record.attempts > MOST_ATTEMPTS)
        await this.processor.giveUp(held, source, new SuturaError('service.internal'), false);
      else await this.runs.later(held, source);
    } catch (fault) {
      await this.putOff(held, fault);
    }
  }

  /** Once for each: from here on it waits for a person. */
  private tellOf({ sealed: { id, sourceId, controlId } }: SealedMessage): void {
    this.logger.error('hl7.message_sealed', { messageId: id, listenerId: sourceId, controlId });
  }

  private async putOff(held: HeldMessage, fault: unknown): Promise<void> {
    if (fault instanceof LeaseLost) return;
    const { id, attempts } = held.record;
    const isAway = isSuturaError(fault, 'service.unavailable', 'service.storage_full', 'storage.limit');
    this.logger.error('hl7.message_put_off', { messageId: id, attempts }, fault);
    await this.store.postpone(held, isAway ? UNAVAILABLE_PAUSE_S : 2 ** attempts, !isAway).catch(() => undefined);
  }
}
