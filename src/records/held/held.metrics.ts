import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { HeldCount } from '../../core/held/held-item.js';
import { HeldService } from '../../core/held/held.service.js';
import { Clock } from '../../core/ports/clock.js';
import { MetricReading } from '../../platform/health/metric-reading.js';
import { labelledGaugeOf, type LabelledValue } from '../../platform/health/shared-metrics.js';

/** How much waits for a person, and for how long, over all organizations. */
@Injectable()
export class HeldMetrics implements OnModuleInit {
  constructor(
    private readonly held: HeldService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const reading = new MetricReading(() => this.held.count());
    const gauge = (name: string, help: string, valueOf: (counts: readonly HeldCount[]) => number): void =>
      labelledGaugeOf(name, help, ['reason'], async (): Promise<readonly LabelledValue[]> => {
        const counts = await reading.latest();
        if (counts === null) return [];
        return this.held.reasons.map((reason) => ({
          labels: { reason },
          value: valueOf(counts.filter((one) => one.reason === reason)),
        }));
      });
    gauge(
      'sutura_held_items',
      'What waits for a person, by its reason, without what the sandbox was asked for',
      (counts) => counts.reduce((sum, { items }) => sum + items, 0),
    );
    gauge('sutura_held_oldest_seconds', 'For how long the oldest of them has waited; 0: none waits', (counts) =>
      Math.max(0, ...counts.map(({ oldestSince }) => (this.clock.now().getTime() - oldestSince.getTime()) / 1000)),
    );
  }
}
