import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { v7 } from 'uuid';
import { ObjectStore } from '../../../core/images/object-store.js';
import { Settings } from '../../../platform/config/settings.js';
import { Logger } from '../../../platform/logging/logger.js';
import { folderOf } from './bulk-export.js';
import { ExportQueue } from './export-queue.js';
import type { ExportHold } from './export-hold.js';
import { ExportWriter } from './export-writer.js';

const MOST_IDLE_MS = 1000;
const NEXT_TURN_S = 0.2;
/** Tries without any progress after which an export counts as failed; minutes, with the pauses between. */
const MOST_TRIES = 8;
/** A turn that only waited is no failure. */
const LONGEST_PAUSE_S = 60;

/** Writes exports, one at a time and in turn, at the lowest priority of the process; removes expired files. */
@Injectable()
export class ExportWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ending = new AbortController();
  private readonly hold: ExportHold;
  private readonly idleMs: number;
  private running: Promise<unknown> = Promise.resolve();
  private isFailing = false;

  constructor(
    private readonly queue: ExportQueue,
    private readonly writer: ExportWriter,
    private readonly store: ObjectStore,
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {
    const { signal } = this.ending;
    this.idleMs = Math.min(MOST_IDLE_MS, settings.workers.sweepIntervalMs);
    this.hold = {
      holder: v7(),
      seconds: settings.workers.leaseS,
      pause: (ms) => delay(ms, undefined, { ref: false, signal }),
    };
  }

  onApplicationBootstrap(): void {
    if (this.settings.process.roles.includes('api')) this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      try {
        const worked = await this.turn();
        await this.sweep();
        this.isFailing = false;
        if (worked) continue;
      } catch (error) {
        if (!this.isFailing && !this.isStopped) this.logger.error('sweep.failed', { work: 'bulk-exports' }, error);
        this.isFailing = true;
      }
      await this.hold.pause(this.idleMs).catch(() => undefined);
    }
  }

  /** False: there was nothing to do. */
  private async turn(): Promise<boolean> {
    const { holder, seconds } = this.hold;
    const work = await this.queue.take(holder, seconds);
    if (work === null) return false;
    const { id, tries } = work;
    try {
      await this.writer.work(work, this.hold);
      await this.queue.letGo(id, holder, NEXT_TURN_S, { progress: true });
    } catch (error) {
      if (this.isStopped) await this.queue.letGo(id, holder, 0, { progress: true });
      else await this.failed(id, tries, error);
    }
    return true;
  }

  private async failed(id: string, tries: number, error: unknown): Promise<void> {
    this.logger.error('fhir.export_interrupted', { exportId: id, tries }, error);
    if (tries >= MOST_TRIES) await this.queue.fail(id, this.hold.holder);
    else await this.queue.letGo(id, this.hold.holder, Math.min(LONGEST_PAUSE_S, 2 ** tries / 2), { progress: false });
  }

  private async sweep(): Promise<void> {
    await this.queue.expire();
    for (const id of await this.queue.toRemove()) {
      await this.store.deleteAll(folderOf(id));
      await this.queue.removed(id);
    }
  }

  private get isStopped(): boolean {
    return this.ending.signal.aborted;
  }
}
