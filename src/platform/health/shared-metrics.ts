import { Counter, Gauge, register } from 'prom-client';

/** The process-wide counter of this name: every instance of a class counts into the same figure. */
export function sharedCounter(name: string, help: string, labelNames: string[] = []): Counter {
  return (register.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, labelNames });
}

/** As `sharedCounter`. */
export function sharedGauge(name: string, help: string, labelNames: string[] = []): Gauge {
  return (register.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help, labelNames });
}

/** A gauge without labels that is asked for its value at each scrape; null leaves it out. The first one of a name stands. */
export function gaugeOf(name: string, help: string, read: () => Promise<number | null> | number | null): void {
  if (register.getSingleMetric(name) !== undefined) return;
  new Gauge({
    name,
    help,
    async collect() {
      const value = await read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/** A value of a gauge with labels. */
export interface LabelledValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** As `gaugeOf`, with labels: shows these values and no earlier ones. */
export function labelledGaugeOf(
  name: string,
  help: string,
  labelNames: string[],
  read: () => Promise<readonly LabelledValue[]> | readonly LabelledValue[],
): void {
  if (register.getSingleMetric(name) !== undefined) return;
  new Gauge({
    name,
    help,
    labelNames,
    async collect() {
      const values = await read();
      this.reset();
      for (const { labels, value } of values) this.set(labels, value);
    },
  });
}
