import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../../core/images/object-store.js';
import { failpoint } from '../../../platform/failpoints.js';
import { deletedOf, objectKeyOf, type ExportWork } from './bulk-export.js';
import { requireHold, type ExportHold } from './export-hold.js';
import { ExportQueue } from './export-queue.js';
import { ExportMetrics } from './export.metrics.js';

const NDJSON = 'application/fhir+ndjson';

/** The part that is being filled. */
export interface ExportPart {
  lines: string[];
  bytes: number;
}

/** Files of exports. */
@Injectable()
export class ExportParts {
  constructor(
    private readonly queue: ExportQueue,
    private readonly store: ObjectStore,
    private readonly metrics: ExportMetrics,
  ) {}

  /** Stores a part, then records it and where the next one begins. Empties the part. */
  async keep(
    { id, options }: ExportWork,
    { holder, seconds }: ExportHold,
    number: number,
    { part, at, after }: { readonly part: ExportPart; readonly at: number; readonly after: string | null },
  ): Promise<void> {
    const bytes = Buffer.from(`${part.lines.join('\n')}\n`);
    const place = after === null ? at - 1 : at;
    const { types } = options;
    const type = place < types.length ? types[place]! : deletedOf(types[place - types.length]!);
    await this.store.put(objectKeyOf(id, number), bytes, NDJSON);
    await failpoint('export_part_put');
    const file = { number, type, resources: part.lines.length, bytes: bytes.length };
    requireHold(await this.queue.keepFile(id, holder, seconds, { atType: at, afterId: after, file }));
    this.metrics.written(file.resources);
    await failpoint('export_part_kept');
    Object.assign(part, { lines: [], bytes: 0 } satisfies ExportPart);
  }
}
