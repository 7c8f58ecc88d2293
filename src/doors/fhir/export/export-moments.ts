import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import type { ExportWork } from './bulk-export.js';
import { HoldLost, requireHold, TURN_MS, type ExportHold } from './export-hold.js';
import { ExportQueue } from './export-queue.js';
import { ExportReadiness } from './export-readiness.js';

/** Clocks of processes differ by less, and what has a time is sent to the database sooner than that. */
const MARGIN_MS = 1000;
const LOOK_AGAIN_MS = 100;

/** Chooses the moment of an export: versions are kept, so that resources are read as they were then. */
@Injectable()
export class ExportMoments {
  constructor(
    private readonly queue: ExportQueue,
    private readonly readiness: ExportReadiness,
    private readonly clock: Clock,
  ) {}

  /** With its moment, once all that was written by then can be read; null: not in this turn. */
  async settle(work: ExportWork, hold: ExportHold): Promise<ExportWork | null> {
    const { id } = work;
    let moment = work.transactionTime;
    if (moment === null) {
      if (
        !(await this.readiness.isReached(work, this.clock.now(), () => this.queue.keep(id, hold.holder, hold.seconds)))
      )
        return null;
      moment = this.clock.now();
      requireHold(await this.queue.chooseMoment(id, hold.holder, hold.seconds, moment));
    }
    let { barrier } = work;
    if (barrier === null) {
      await hold.pause(Math.max(0, moment.getTime() + MARGIN_MS - this.clock.now().getTime()));
      barrier = await this.queue.bar(id, hold.holder, hold.seconds);
      if (barrier === null) throw new HoldLost();
    }
    const until = performance.now() + TURN_MS;
    while (!(await this.queue.isOver(barrier))) {
      if (performance.now() > until) return null;
      await hold.pause(LOOK_AGAIN_MS);
    }
    return { ...work, transactionTime: moment, barrier };
  }
}
