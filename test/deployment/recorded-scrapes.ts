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
  const places = (isGrowing: boolean) =>
    Array.from({ length }, (_, index) => (isGrowing ? Math.min(index, scrapes.length - 1) : index % scrapes.length));
  return seriesOf(scrapes, target, places);
}

/** One scrape after the other, each for some samples and the last for some more: null where the process did not answer. */
export function heldSeries(
  scrapes: readonly (string | null)[],
  target: Readonly<Record<string, string>>,
  held: { readonly each: number; readonly last: number },
): RecordedSeries[] {
  const places = scrapes.flatMap((_, place) =>
    Array<number>(place + 1 < scrapes.length ? held.each : held.last).fill(place),
  );
  return seriesOf(scrapes, target, () => places);
}

/** `placesOf`: which scrape each sample is of, for what only grows and for anything else. */
function seriesOf(
  scrapes: readonly (string | null)[],
  target: Readonly<Record<string, string>>,
  placesOf: (isGrowing: boolean) => readonly number[],
): RecordedSeries[] {
  const texts = scrapes.map((text) => text ?? '');
  const recorded = texts.map(
    (text) => new Map([...text.matchAll(SAMPLE)].map(([, name, labels = '', value]) => [`${name}{${labels}`, value!])),
  );
  const types = new Map(
    texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!])),
  );
  const added = Object.entries(target).map(([label, value]) => `${label}="${value}"`);
  return [...new Set(recorded.flatMap((scrape) => [...scrape.keys()]))].map((key) => {
    const [name, labels] = key.split(/\{(.*)/s) as [string, string];
    const isGrowing = GROWING.has(types.get(name) ?? types.get(name.replace(/_(?:bucket|sum|count)$/, '')) ?? '');
    return {
      series: `${name}{${[...(labels === '' ? [] : [labels]), ...added].join(',')}}`,
      values: placesOf(isGrowing)
        .map((place) => valueOf(recorded[place]!.get(key)))
        .join(' '),
    };
  });
}

/** As promtool reads values. */
function valueOf(value: string | undefined): string {
  if (value === undefined || value === 'Nan' || value === 'NaN') return '_';
  return /^[+-]?Inf/.test(value) ? value : String(Number(value).toFixed(9)).replace(/\.?0+$/, '');
}
