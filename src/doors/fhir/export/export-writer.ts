import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { Logger } from '../../../platform/logging/logger.js';
import type { ExportWork } from './bulk-export.js';
import { HoldLost, requireHold, TURN_MS, type ExportHold } from './export-hold.js';
import { ExportMoments } from './export-moments.js';
import { ExportPages } from './export-pages.js';
import { ExportParts, type ExportPart } from './export-parts.js';
import { ExportQueue } from './export-queue.js';

/** A part is held in memory until it is in the store. */
const PART_BYTES = 8 * 1024 * 1024;
/** Pause between two pages, for requests that wait. */
const BREATH_MS = 4;

/**
 * Writes an export part by part, and records the position after each, from which the next process continues. Resources are as of one moment: versions are kept, and transactions in flight are awaited.
 */
@Injectable()
export class ExportWriter {
  constructor(
    private readonly queue: ExportQueue,
    private readonly moments: ExportMoments,
    private readonly pages: ExportPages,
    private readonly parts: ExportParts,
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {}

  /** Works for one turn. True: the export has ended, or was claimed elsewhere; false: it waits for its next turn. */
  async work(work: ExportWork, hold: ExportHold): Promise<boolean> {
    try {
      const settled = await this.moments.settle(work, hold);
      return settled !== null && (await this.write(settled, hold));
    } catch (error) {
      if (error instanceof HoldLost) return true;
      throw error;
    }
  }

  /** True: all of it is written. */
  private async write(work: ExportWork, hold: ExportHold): Promise<boolean> {
    const turn = { until: performance.now() + TURN_MS, keptAt: performance.now(), file: work.files };
    const { types } = work.options;
    let after = work.afterId;
    // Each type twice: what is there, then what was deleted since.
    const stages = (work.options.since === null ? 1 : 2) * types.length;
    for (let at = work.atType; at < stages; at += 1, after = null) {
      const part: ExportPart = { lines: [], bytes: 0 };
      do {
        const page = await (at < types.length
          ? this.pages.read(work, types[at]!, after)
          : this.pages.deleted(work, types[at - types.length]!, after));
        after = page.last;
        for (const line of page.lines) {
          part.lines.push(line);
          part.bytes += Buffer.byteLength(line) + 1;
        }
        if (part.bytes >= PART_BYTES && after !== null) {
          await this.parts.keep(work, hold, (turn.file += 1), { part, at, after });
          if (performance.now() > turn.until) return false;
        }
        await hold.pause(BREATH_MS);
        if (performance.now() - turn.keptAt > (hold.seconds * 1000) / 4) {
          requireHold(await this.queue.keep(work.id, hold.holder, hold.seconds));
          turn.keptAt = performance.now();
        }
      } while (after !== null);
      if (part.lines.length > 0) await this.parts.keep(work, hold, (turn.file += 1), { part, at: at + 1, after: null });
    }
    requireHold(await this.queue.complete(work.id, hold.holder, this.settings.fhir.exportLifeH));
    this.logger.info('fhir.export_complete', { exportId: work.id, files: turn.file });
    return true;
  }
}
