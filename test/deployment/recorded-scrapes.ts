/** A series of a rule test of promtool. */
export interface RecordedSeries {
  readonly series: string;
  readonly values: string;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gm;
/** What only grows: a figure of the first scrape behind one of the last would look like a restart. */
const GROWING = new Set(['counter', 'histogram']);

/**
 * Scrapes of a process as Prometheus would have them of a longer time: gauges go round and round through what was
 * recorded, and counters rest at their last value. A series that a scrape lacks has a gap there.
 */
export function recordedSeries(
  scrapes: readonly string[],
  target: Readonly<Record<string, string>>,
  length: number,
): RecordedSeries[] {
  const recorded = scrapes.map(
    (text) => new Map([...text.matchAll(SAMPLE)].map(([, name, labels = '', value]) => [`${name}{${labels}`, value!])),
  );
  const types = new Map(
    [...scrapes.at(-1)!.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]),
  );
  const added = Object.entries(target).map(([label, value]) => `${label}="${value}"`);
  return [...new Set(recorded.flatMap((scrape) => [...scrape.keys()]))].map((key) => {
    const [name, labels] = key.split(/\{(.*)/s) as [string, string];
    const isGrowing = GROWING.has(types.get(name) ?? types.get(name.replace(/_(?:bucket|sum|count)$/, '')) ?? '');
    const at = (index: number): string => {
      const place = isGrowing ? Math.min(index, scrapes.length - 1) : index % scrapes.length;
      return valueOf(recorded[place]!.get(key));
    };
    return {
      series: `${name}{${[...(labels === '' ? [] : [labels]), ...added].join(',')}}`,
      values: Array.from({ length }, (_, index) => at(index)).join(' '),
    };
  });
}

/** As promtool reads values. */
function valueOf(value: string | undefined): string {
  if (value === undefined || value === 'Nan' || value === 'NaN') return '_';
  return /^[+-]?Inf/.test(value) ? value : String(Number(value).toFixed(9)).replace(/\.?0+$/, '');
}
