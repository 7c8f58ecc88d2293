import { load } from 'js-yaml';
import { FILES, rowsOf, textOf } from '../docs/pages.js';

/** A rule of ops/alerts.yml. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface RuleGroup {
  readonly rules: readonly AlertRule[];
}

export const ALERTS: readonly AlertRule[] = (
  load(textOf('ops/alerts.yml')) as { readonly groups: readonly RuleGroup[] }
).groups.flatMap(({ rules }) => rules);

interface Datasource {
  readonly type: string;
  readonly uid: string;
}

/** A panel of Grafana; rows have no targets. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: Datasource;
  readonly targets?: readonly {
    readonly expr: string;
    readonly legendFormat?: string;
    readonly datasource?: Datasource;
  }[];
}

export interface Dashboard {
  readonly file: string;
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
}

export const DASHBOARDS: readonly Dashboard[] = FILES.filter((file) => /^ops\/dashboards\/.*\.json$/.test(file)).map(
  (file) => ({ ...(JSON.parse(textOf(file)) as Dashboard), file }),
);

/** A section of docs/runbooks.md by its heading, down to the next. */
export const RUNBOOKS: ReadonlyMap<string, string> = new Map(
  textOf('docs/runbooks.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

/** The lines of each block of PromQL. */
const queriesOf = (section: string): string[] =>
  [...section.matchAll(/^```promql\n([\s\S]*?)^```$/gm)].flatMap(([, block]) => block!.trim().split('\n'));

/** Every PromQL expression of the alarms, the dashboards and the runbooks, with its place. */
export const EXPRESSIONS: readonly (readonly [place: string, expr: string])[] = [
  ...ALERTS.map(({ alert, expr }) => [alert, expr] as const),
  ...DASHBOARDS.flatMap(({ file, panels }) =>
    panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [`${file}: ${title}`, expr] as const)),
  ),
  ...[...RUNBOOKS].flatMap(([name, section]) =>
    queriesOf(section).map((expr) => [`docs/runbooks.md: ${name}`, expr] as const),
  ),
];

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;
const SELECTOR = /(?<![\w:.])([a-zA-Z_:][\w:]*)\b(?!\s*\()\s*(?:\{((?:[^}"]|"(?:[^"\\]|\\.)*")*)\})?/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g;
const WORDS_OF_PROMQL = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** The metrics that an expression reads, each with its matchers. */
export function selectorsOf(expr: string): Selector[] {
  const plain = expr.replace(GROUPING, ' ').replace(/\[[\w$:]+\]/g, ' ');
  return [...plain.matchAll(SELECTOR)]
    .filter(([, name]) => !WORDS_OF_PROMQL.has(name!))
    .map(([, metric, within = '']) => ({
      metric: metric!,
      matchers: [...within.matchAll(MATCHER)].map(([, label, operator, value]) => ({
        label: label!,
        operator: operator!,
        value: value!,
      })),
    }));
}

/** The labels that an expression groups by. */
export function groupingOf(expr: string): string[] {
  return [...expr.matchAll(GROUPING)].flatMap(([, labels]) => labels!.split(',').map((label) => label.trim()));
}

/** The values that a matcher lets through, where it lists them; null for a pattern. */
export function valuesListed({ operator, value }: Matcher): string[] | null {
  if (value.startsWith('$')) return null;
  if (operator === '=') return [value];
  if (operator !== '=~' || /[*+?\\]|(?<!\[)\./.test(value)) return null;
  const plain = value.replaceAll('[.]', '.');
  const [, stem = '', ends = plain] = /^([^(]*)\(([^)]*)\)$/.exec(plain) ?? [];
  return ends.split('|').map((end) => `${stem}${end}`);
}

/** A metric as /metrics shows it, or as docs/metrics.md describes it. */
export interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** The rows of docs/metrics.md. */
export function describedMetrics(): Metric[] {
  return rowsOf(textOf('docs/metrics.md'))
    .filter(([name]) => name!.startsWith('`'))
    .map(([name, type, labels, help]) => ({
      name: name!.replaceAll('`', ''),
      type: type!,
      labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!),
      help: help!,
    }));
}

/** The metric that a name of PromQL belongs to: a histogram is read by its parts. */
export function metricOf(name: string, metrics: readonly Metric[]): Metric | undefined {
  const whole = metrics.find((metric) => metric.name === name);
  if (whole !== undefined) return whole.type === 'histogram' ? undefined : whole;
  const [, base] = /^(.+)_(?:bucket|sum|count)$/.exec(name) ?? [];
  return metrics.find((metric) => metric.name === base && metric.type === 'histogram');
}

/** A sample of /metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Prometheus' text format: what each metric says of itself, and its samples. */
export function readExposition(text: string): { readonly metrics: Metric[]; readonly samples: Sample[] } {
  const helps = new Map([...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name, help]) => [name!, help!]));
  const samples = [...text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)].map(([, name, within = '']) => ({
    name: name!,
    labels: Object.fromEntries(
      [...within.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label!, value!]),
    ),
  }));
  const bare = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({
    name: name!,
    type: type!,
    labels: [] as string[],
    help: helps.get(name!) ?? '',
  }));
  const metrics = bare.map((metric) => ({
    ...metric,
    labels: [
      ...new Set(
        samples
          .filter(({ name }) => metricOf(name, bare)?.name === metric.name)
          .flatMap(({ labels }) => Object.keys(labels)),
      ),
    ].filter((label) => !(metric.type === 'histogram' && label === 'le')),
  }));
  return { metrics, samples };
}
