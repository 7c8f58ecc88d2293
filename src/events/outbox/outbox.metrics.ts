import type { Outbox, OutboxBacklog } from '../../core/domain-events/outbox.js';
import { MetricReading } from '../../platform/health/metric-reading.js';
import { labelledGaugeOf } from '../../platform/health/shared-metrics.js';

/** In the place of a handler, for events that are not due for any yet. */
const NOT_FANNED_OUT = 'fan-out';

/** The events that these handlers are owed. Those of handlers that this release does not have are none of its work. */
export function registerOutboxMetrics(outbox: Pick<Outbox, 'backlog'>, handlers: readonly string[]): void {
  const backlog = new MetricReading(() => outbox.backlog());
  const ofEachHandler = (figure: (owed: OutboxBacklog | undefined) => number) => async () => {
    const owed = await backlog.latest();
    if (owed === null) return [];
    return [null, ...handlers].map((name) => ({
      labels: { handler: name ?? NOT_FANNED_OUT },
      value: figure(owed.find(({ handler }) => handler === name)),
    }));
  };
  labelledGaugeOf(
    'sutura_outbox_events',
    'Events that a handler is owed, those that it has in hand included',
    ['handler'],
    ofEachHandler((owed) => owed?.events ?? 0),
  );
  labelledGaugeOf(
    'sutura_outbox_oldest_seconds',
    'Age of the oldest event that a handler is owed; alarm on this',
    ['handler'],
    ofEachHandler((owed) => owed?.oldestS ?? 0),
  );
}
