import { Counter, register } from 'prom-client';
import { MetricReading } from '../../../platform/health/metric-reading.js';
import { labelledGaugeOf } from '../../../platform/health/shared-metrics.js';
import type { Backlog } from '../queue/leased-deliveries.js';

/** Whether the service disabled an endpoint. */
export interface EndpointHealth {
  readonly id: string;
  readonly disabled: boolean;
}

interface Figure {
  readonly name: string;
  readonly help: string;
}

/** The names under which an exit shows the figures of its queue. */
interface DeliveryFigures {
  /** The label that names the endpoint. */
  readonly label: string;
  /** By `label` and `code`, the answer's. */
  readonly attempts: Figure;
  /** Seconds, by `label`. */
  readonly oldest: Figure;
  /** By `label` and `state`. */
  readonly deliveries: Figure;
  /** 1 where the service disabled the endpoint, by `label`. Of exits over HTTP. */
  readonly disabled?: Figure;
}

/** Where the figures come from. */
interface DeliverySource {
  backlog(): Promise<readonly Backlog[]>;
  health?(): Promise<readonly EndpointHealth[]>;
}

/** Figures of one exit's queue; counts into the process-wide register. */
export class DeliveryMetrics {
  private readonly backlog: MetricReading<readonly Backlog[]>;
  private readonly health: MetricReading<readonly EndpointHealth[]>;

  constructor(
    private readonly figures: DeliveryFigures,
    source: DeliverySource,
  ) {
    this.backlog = new MetricReading(() => source.backlog());
    this.health = new MetricReading(() => source.health?.() ?? Promise.resolve([]));
  }

  attempted(endpointId: string, code: string): void {
    const { attempts, label } = this.figures;
    (register.getSingleMetric(attempts.name) as Counter | undefined)?.inc({ [label]: endpointId, code });
  }

  onModuleInit(): void {
    const { label, attempts, oldest, deliveries, disabled } = this.figures;
    if (register.getSingleMetric(attempts.name) !== undefined) return;
    new Counter({ ...attempts, labelNames: [label, 'code'] });
    labelledGaugeOf(oldest.name, oldest.help, [label], async () =>
      (await this.endpoints()).map(({ endpointId, oldestS }) => ({ labels: { [label]: endpointId }, value: oldestS })),
    );
    labelledGaugeOf(deliveries.name, deliveries.help, [label, 'state'], async () =>
      (await this.endpoints()).flatMap(({ endpointId, waiting, parked }) =>
        Object.entries({ waiting, parked }).map(([state, value]) => ({
          labels: { [label]: endpointId, state },
          value,
        })),
      ),
    );
    if (disabled === undefined) return;
    labelledGaugeOf(disabled.name, disabled.help, [label], async () =>
      ((await this.health.latest()) ?? []).map((endpoint) => ({
        labels: { [label]: endpoint.id },
        value: Number(endpoint.disabled),
      })),
    );
  }

  private async endpoints(): Promise<readonly Backlog[]> {
    return (await this.backlog.latest()) ?? [];
  }
}
