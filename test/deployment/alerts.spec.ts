import { execFileSync } from 'node:child_process';
import { load } from 'js-yaml';
import { ROOT, SOURCES, textOf } from '../docs/pages.js';
import {
  ALERTS,
  DASHBOARDS,
  describedMetrics,
  EXPRESSIONS,
  groupingOf,
  metricOf,
  RUNBOOKS,
  selectorsOf,
  valuesListed,
} from './prometheus.js';
import { findTool } from './tools.js';

/** What Prometheus makes itself, and the labels that it gives to each series. */
const OF_PROMETHEUS = new Map([
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity']],
]);
const OF_TARGETS = ['job', 'instance'];

/** The second at intervals of an hour: a week by the minute takes a minute. */
const RULE_TESTS = ['ops/alerts.test.yml', 'ops/alerts-week.test.yml'];

const metrics = describedMetrics();

function labelsOf(name: string): readonly string[] | undefined {
  const own = OF_PROMETHEUS.get(name) ?? metricOf(name, metrics)?.labels;
  return own === undefined ? undefined : [...own, ...OF_TARGETS, ...(name.endsWith('_bucket') ? ['le'] : [])];
}

describe('the expressions of ops/alerts.yml, ops/dashboards and docs/runbooks.md', () => {
  it('are read as PromQL means them', () => {
    const expr =
      'sum by (job, le) (rate(a_bucket{code=~"x[.](y|z)",route!~"/a/.*|{b}"}[5m])) > 2 and b_total offset 1h < 3e2';
    const [first, second] = selectorsOf(expr);
    expect([first!.metric, first!.matchers.map(valuesListed), second]).toEqual([
      'a_bucket',
      [['x.y', 'x.z'], null],
      { metric: 'b_total', matchers: [] },
    ]);
    expect(selectorsOf(expr)).toHaveLength(2);
    expect(groupingOf(expr)).toEqual(['job', 'le']);
  });

  it.each(EXPRESSIONS)('%s: reads metrics of docs/metrics.md, by labels that they have', (_place, expr) => {
    const selectors = selectorsOf(expr);
    expect(selectors.length).toBeGreaterThan(0);
    expect(selectors.filter(({ metric }) => labelsOf(metric) === undefined)).toEqual([]);
    for (const { metric, matchers } of selectors)
      expect([metric, matchers.filter(({ label }) => !labelsOf(metric)!.includes(label))]).toEqual([metric, []]);
    const known = selectors.flatMap(({ metric }) => labelsOf(metric)!);
    expect(groupingOf(expr).filter((label) => !known.includes(label))).toEqual([]);
  });
});

describe('ops/alerts.yml', () => {
  it('has no two alarms of one name', () => {
    expect(ALERTS.length).toBeGreaterThan(30);
    expect(new Set(ALERTS.map(({ alert }) => alert)).size).toBe(ALERTS.length);
  });

  it.each(ALERTS.map((rule) => [rule.alert, rule] as const))('%s speaks of labels that it has', (_name, rule) => {
    const grouped = groupingOf(rule.expr);
    const left = grouped.length > 0 ? grouped : OF_TARGETS;
    const named = Object.values(rule.annotations).flatMap((text) =>
      [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!),
    );
    expect(named.filter((label) => !left.includes(label))).toEqual([]);
  });
});

describe('docs/runbooks.md', () => {
  it('has a section for each alarm, in their order, and no other', () => {
    expect([...RUNBOOKS.keys()]).toEqual(ALERTS.map(({ alert }) => alert));
    expect(textOf('docs/runbooks.md').match(/^## /gm)).toHaveLength(ALERTS.length);
  });

  it.each(ALERTS.map((rule) => [rule.alert, rule] as const))('%s leads to its section', (alert, { annotations }) => {
    expect(annotations['runbook_url']).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  });

  it.each([...RUNBOOKS])('%s says what it means, where to look, what to do and when it is over', (_name, section) => {
    expect(section.match(/^\*\*[^*]+\*\*/gm)).toEqual([
      '**On the ward.**',
      '**Where to look.**',
      '**What to do.**',
      '**Well again when**',
    ]);
  });

  it('names lines of the log that are written', () => {
    const named = [...RUNBOOKS.values()].flatMap((section) =>
      [...section.matchAll(/`((?:[a-z]\w*)\.[a-z]\w*_\w+)`/g)].map(([, event]) => event!),
    );
    expect(named.length).toBeGreaterThan(15);
    const written = SOURCES.map(textOf).join('\n');
    expect(named.filter((event) => !written.includes(`'${event}'`))).toEqual([]);
  });
});

describe('ops/alerts.test.yml', () => {
  interface RuleTest {
    readonly name: string;
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
  }
  const tests = RULE_TESTS.flatMap((file) => (load(textOf(file)) as { readonly tests: readonly RuleTest[] }).tests);
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);

  it.each(ALERTS.map(({ alert }) => alert))('lets %s come once, and once not, by figures of its own', (alert) => {
    const own = tests.filter(({ name }) => name.startsWith(`${alert} `) || name.startsWith(`${alert}:`));
    const expected = own.flatMap(({ alert_rule_test }) =>
      alert_rule_test.filter(({ alertname }) => alertname === alert),
    );
    expect(expected.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true);
    expect(expected.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(true);
  });

  it.each(['A night without traffic', 'A rolling restart'])('%s brings no alarm', (name) => {
    const tried = tests.find((test) => test.name.startsWith(name))!.alert_rule_test;
    expect([...new Set(tried.map(({ alertname }) => alertname))].sort()).toEqual(
      ALERTS.map(({ alert }) => alert).sort(),
    );
    expect(tried.filter(({ exp_alerts }) => exp_alerts.length > 0)).toEqual([]);
  });

  it('tries alarms that exist', () => {
    const known = new Set(ALERTS.map(({ alert }) => alert));
    expect(cases.filter(({ alertname }) => !known.has(alertname))).toEqual([]);
  });

  const promtool = findTool(
    'promtool',
    'ops/alerts.yml is not read by Prometheus’ own rules (Debian: apt-get install prometheus).',
  );
  (promtool === undefined ? it.skip : it)(
    'passes promtool, and so do the rules and the example of a configuration',
    () => {
      const run = (...args: string[]): string =>
        execFileSync(promtool!, args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
      expect(run('check', 'rules', 'ops/alerts.yml')).toContain(`${ALERTS.length} rules found`);
      expect(run('check', 'config', '--syntax-only', 'ops/prometheus.yml')).toContain('SUCCESS');
      for (const file of RULE_TESTS) expect(run('test', 'rules', file)).toContain('SUCCESS');
    },
    180_000,
  );
});

describe('docs/developer/add-an-alarm.md', () => {
  const [, byFault = '', invented = ''] = textOf('docs/developer/add-an-alarm.md').split(/^## /m);
  const namesOf = (section: string) => [...section.matchAll(/^\| (Sutura\w+) \|/gm)].map(([, name]) => name!);
  const tried = ['alarms', 'more-alarms'].flatMap((name) => {
    const text = textOf(`test/faults/slow/${name}.spec.ts`);
    return [...text.matchAll(/\b(?:record|recorded)\(\s*\[([^\]]*)\]/g)].flatMap(([, alerts]) =>
      [...alerts!.matchAll(/'(Sutura\w+)'/g)].map(([, alert]) => alert!),
    );
  });

  it('has each alarm once: by a real fault, or with the reason why not', () => {
    const known = ALERTS.map(({ alert }) => alert);
    expect([...namesOf(byFault), ...namesOf(invented)].sort()).toEqual(known.sort());
  });

  it('has those by a real fault that are tried by one', () => {
    expect(namesOf(byFault).sort()).toEqual(tried.sort());
  });
});

describe('ops/dashboards', () => {
  it('have a uid and a title each', () => {
    expect(DASHBOARDS.length).toBeGreaterThan(2);
    for (const name of ['uid', 'title'] as const)
      expect(new Set(DASHBOARDS.map((dashboard) => dashboard[name])).size).toBe(DASHBOARDS.length);
  });

  it.each(DASHBOARDS.map((dashboard) => [dashboard.file, dashboard] as const))(
    '%s asks the Prometheus that its variable names',
    (_file, { panels, templating }) => {
      expect(templating.list.find(({ name }) => name === 'datasource')?.type).toBe('datasource');
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      const variable = { type: 'prometheus', uid: '${datasource}' };
      for (const { type, title, targets = [], datasource } of panels.filter((panel) => panel.type !== 'row')) {
        expect([title, type, datasource]).toEqual([title, type, variable]);
        expect(targets.length).toBeGreaterThan(0);
        for (const target of targets) expect([title, target.datasource ?? variable]).toEqual([title, variable]);
      }
    },
  );

  it.each(
    DASHBOARDS.flatMap(({ panels }) =>
      panels.flatMap(({ title, targets = [] }) => targets.map((target) => [title, target] as const)),
    ),
  )('%s: the legend names labels that are left', (_title, { expr, legendFormat = '' }) => {
    const named = [...legendFormat.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label]) => label!);
    const left = groupingOf(expr);
    expect(named.filter((label) => !left.includes(label))).toEqual([]);
  });

  it('use variables that they have', () => {
    for (const { file, panels, templating } of DASHBOARDS) {
      const names = new Set(templating.list.map(({ name }) => name));
      const used = panels.flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) => [...expr.matchAll(/\$(?!__)(\w+)/g)].map(([, name]) => name!)),
      );
      expect([file, used.filter((name) => !names.has(name))]).toEqual([file, []]);
    }
  });
});
