import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../../core/images/object-store.js';
import { Clock } from '../../../core/ports/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import { failpoint } from '../../../platform/failpoints.js';
import { Logger } from '../../../platform/logging/logger.js';
import { objectKeyOf, type ExportWork } from './bulk-export.js';
import { ExportPages } from './export-pages.js';
import { ExportQueue } from './export-queue.js';
import { ExportReadiness } from './export-readiness.js';
import { ExportMetrics } from './export.metrics.js';

const NDJSON = 'application/fhir+ndjson';
/** A part is held in memory until it is in the store. */
const PART_BYTES = 8 * 1024 * 1024;
/** Between two pages, for whoever waits for an answer. */
const BREATH_MS = 4;
/** After that long another export has its turn. */
const TURN_MS = 5000;
/** Clocks of processes differ by less, and what has a time is sent to the database sooner than that. */
const MARGIN_MS = 1000;
const LOOK_AGAIN_MS = 100;

/** The hold of one process on an export. */
export interface ExportHold {
  readonly holder: string;
  readonly seconds: number;
  /** Waits; throws once the process stops. */
  pause(ms: number): Promise<void>;
}

/** Nobody works on it any more: it was cancelled, a patient was erased, or another process has it. */
class HoldLost extends Error {}

/** The part that is being filled. */
interface Part {
  lines: string[];
  bytes: number;
}

/**
 * Writes an export, part by part. With each part the place behind it is written down, so that whoever takes it next goes on there. A resource is
 * in it as it was at one moment, because versions are kept and everything written by then is waited for.
 */
@Injectable()
export class ExportWriter {
  constructor(
    private readonly queue: ExportQueue,
    private readonly readiness: ExportReadiness,
    private readonly pages: ExportPages,
    private readonly store: ObjectStore,
    private readonly metrics: ExportMetrics,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {}

  /** Works for one turn. True: the export has ended, or was claimed elsewhere; false: it waits for its next turn. */
  async work(work: ExportWork, hold: ExportHold): Promise<boolean> {
    try {
      const settled = await this.settle(work, hold);
      return settled !== null && (await this.write(settled, hold));
    } catch (error) {
      if (error instanceof HoldLost) return true;
      throw error;
    }
  }

  /** With its moment, once all that was written by then can be read; null: not in this turn. */
  private async settle(work: ExportWork, hold: ExportHold): Promise<ExportWork | null> {
    const { id } = work;
    let moment = work.transactionTime;
    if (moment === null) {
      if (!(await this.readiness.isReached(work, this.clock.now(), () => this.isHeld(id, hold)))) return null;
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

  /** True: all of it is written. */
  private async write(work: ExportWork, hold: ExportHold): Promise<boolean> {
    const turn = { until: performance.now() + TURN_MS, keptAt: performance.now(), file: work.files };
    const { types } = work.wish;
    let after = work.afterId;
    for (let at = work.atType; at < types.length; at += 1, after = null) {
      const part: Part = { lines: [], bytes: 0 };
      do {
        const page = await this.pages.read(work, types[at]!, after);
        after = page.last;
        for (const line of page.lines) {
          part.lines.push(line);
          part.bytes += Buffer.byteLength(line) + 1;
        }
        if (part.bytes >= PART_BYTES && after !== null) {
          await this.keep(work, hold, (turn.file += 1), { part, at, after });
          if (performance.now() > turn.until) return false;
        }
        await hold.pause(BREATH_MS);
        if (performance.now() - turn.keptAt > (hold.seconds * 1000) / 4) {
          requireHold(await this.isHeld(work.id, hold));
          turn.keptAt = performance.now();
        }
      } while (after !== null);
      if (part.lines.length > 0) await this.keep(work, hold, (turn.file += 1), { part, at: at + 1, after: null });
    }
    requireHold(await this.queue.complete(work.id, hold.holder, this.settings.fhir.exportLifeH));
    this.logger.info('fhir.export_complete', { exportId: work.id, files: turn.file });
    return true;
  }

  /** Puts a part into the store, then writes down that it is there and where the next one begins. Empties the part. */
  private async keep(
    { id, wish }: ExportWork,
    { holder, seconds }: ExportHold,
    number: number,
    { part, at, after }: { readonly part: Part; readonly at: number; readonly after: string | null },
  ): Promise<void> {
    const bytes = Buffer.from(`${part.lines.join('\n')}\n`);
    const type = wish.types[after === null ? at - 1 : at]!;
    await this.store.put(objectKeyOf(id, number), bytes, NDJSON);
    await failpoint('export_part_put');
    const file = { number, type, resources: part.lines.length, bytes: bytes.length };
    requireHold(await this.queue.keepFile(id, holder, seconds, { atType: at, afterId: after, file }));
    this.metrics.written(file.resources);
    await failpoint('export_part_kept');
    Object.assign(part, { lines: [], bytes: 0 } satisfies Part);
  }

  private isHeld(id: string, { holder, seconds }: ExportHold): Promise<boolean> {
    return this.queue.keep(id, holder, seconds);
  }
}

function requireHold(isHeld: boolean): void {
  if (!isHeld) throw new HoldLost();
}
