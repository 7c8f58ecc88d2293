import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricReading } from '../../../platform/health/metric-reading.js';
import { labelledGaugeOf, sharedCounter } from '../../../platform/health/shared-metrics.js';
import { ExportQueue } from './export-queue.js';

/** Figures of bulk exports, over all tenants. */
@Injectable()
export class ExportMetrics implements OnModuleInit {
  private readonly states: MetricReading<readonly { readonly state: string; readonly exports: number }[]>;
  private readonly resources = sharedCounter(
    'sutura_bulk_export_resources_total',
    'Resources that this process wrote into files of bulk exports',
  );

  constructor(queue: ExportQueue) {
    this.states = new MetricReading(() => queue.states());
  }

  onModuleInit(): void {
    labelledGaugeOf('sutura_bulk_exports', 'Bulk exports that run, are complete, or failed', ['state'], async () =>
      ((await this.states.latest()) ?? []).map(({ state, exports }) => ({ labels: { state }, value: exports })),
    );
  }

  written(resources: number): void {
    this.resources.inc(resources);
  }
}
