import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { isSuturaError } from '../../../../core/errors/sutura-error.js';
import { Settings } from '../../../../platform/config/settings.js';
import { NotificationListener } from '../../../../platform/database/notification-listener.js';
import { Logger } from '../../../../platform/logging/logger.js';
import type { HeldMessage, SealedMessage } from '../store/inbound-record.js';
import { INBOUND_CHANNEL, InboundStore } from '../store/inbound-store.js';
import { LeaseLost } from '../store/written-conclusions.js';
import { lanesOf, type Lane } from './message-lanes.js';
import { MessageRunner } from './message-runner.js';
import { IncomingTraffic } from './incoming-traffic.js';

/** Sources that are served at once. The messages of one source are processed in the order of receipt, but those about several patients at once (lanesOf). */
const RUNNERS = 2;
/** Messages that are claimed at once: they share statements, and their leases begin together. */
const MOST_CLAIMED = 32;
const UNAVAILABLE_PAUSE_S = 5;
/** The longest that accepted messages wait, each time, for incoming traffic to pause: under a steady stream a run of them is processed five times a second, by each runner. */
const PATIENCE_MS = 200;

/** Processes messages that were accepted in enhanced mode, and those that a process left unfinished. */
@Injectable()
export class InboundWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runners: (Promise<void> | null)[] = Array.from({ length: RUNNERS }, () => null);
  private timer: NodeJS.Timeout | undefined;
  private forget: (() => void) | undefined;
  private wakeUps = 0;
  /** A runner found nothing to claim since the last wake-up. */
  private isDry = false;
  private stopped = false;

  constructor(
    private readonly store: InboundStore,
    private readonly runner: MessageRunner,
    private readonly traffic: IncomingTraffic,
    private readonly notifications: NotificationListener,
    private readonly logger: Logger,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.forget = this.notifications.on(INBOUND_CHANNEL, () => this.wake());
    this.timer = setInterval(() => this.wake(), this.settings.workers.sweepIntervalMs);
    this.wake();
  }

  /** Waits for the messages in work. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.forget?.();
    await Promise.all(this.runners.filter((runner) => runner !== null));
  }

  /** Looks for messages to process. */
  wake(): void {
    this.wakeUps += 1;
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
      for (let seen = -1; !this.stopped && seen !== this.wakeUps;) {
        seen = this.wakeUps;
        for (let claimed = await this.next(); claimed.length > 0; claimed = await this.next()) {
          if (!this.isDry) this.startRunner();
          for (const one of claimed) if ('sealed' in one) this.logSealed(one);
          await this.workOnAll(claimed.flatMap((one) => ('sealed' in one ? [] : [one])));
        }
        this.isDry = true;
      }
    } catch (fault) {
      // Database unavailable: the next poll retries.
      this.logger.warn('hl7.inbox_unreachable', { error: fault instanceof Error ? fault.name : 'unknown' });
    }
  }

  private async next(): Promise<(HeldMessage | SealedMessage)[]> {
    await this.traffic.lull(PATIENCE_MS);
    return this.stopped ? [] : this.store.claimNext(MOST_CLAIMED);
  }

  /** Once one is put off, those behind it in its lane are, and all of the later parts. */
  private async workOnAll(messages: readonly HeldMessage[]): Promise<void> {
    let isHeldUp = false;
    for (const lanes of lanesOf(messages)) {
      if (isHeldUp) for (const held of lanes.flat()) await this.giveBack(held);
      else isHeldUp = (await Promise.all(lanes.map((lane) => this.workOnLane(lane)))).includes('put_off');
    }
  }

  private async workOnLane(lane: Lane): Promise<'done' | 'put_off'> {
    for (const [at, held] of lane.entries()) {
      if (await this.workOn(held)) continue;
      for (const behind of lane.slice(at + 1)) await this.giveBack(behind);
      return 'put_off';
    }
    return 'done';
  }

  /** False: it was put off, or another process has it. */
  private async workOn(held: HeldMessage): Promise<boolean> {
    try {
      await this.runner.later(held);
      return true;
    } catch (fault) {
      await this.putOff(held, fault);
      return false;
    }
  }

  /** Not counted as an attempt: it was not begun. */
  private giveBack(held: HeldMessage): Promise<void> {
    return this.store.postpone(held, 0, false).catch(() => undefined);
  }

  /** Logged once for each message: an operator must act. */
  private logSealed({ sealed: { id, sourceId, controlId } }: SealedMessage): void {
    this.logger.error('hl7.message_sealed', { messageId: id, listenerId: sourceId, controlId });
  }

  private async putOff(held: HeldMessage, fault: unknown): Promise<void> {
    if (fault instanceof LeaseLost) return;
    const { id, attempts } = held.record;
    const isAway = isSuturaError(fault, 'service.unavailable', 'service.busy', 'service.storage_full', 'storage.limit');
    this.logger.error('hl7.message_put_off', { messageId: id, attempts }, fault);
    await this.store.postpone(held, isAway ? UNAVAILABLE_PAUSE_S : 2 ** attempts, !isAway).catch(() => undefined);
  }
}
