import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALERTS, selectorsOf } from '../deployment/prometheus.js';
import { heldSeries, type RecordedSeries } from '../deployment/recorded-scrapes.js';
import { findTool } from '../deployment/tools.js';
import { ROOT } from '../docs/pages.js';
import { eventually } from '../support/eventually.js';

const INTERVAL_S = 15;
/** Samples of each scrape but the last, and of the last: three minutes, and twenty in which nothing gets better. */
const HELD = { each: 12, last: 80 };
const TARGET = { job: 'sutura', instance: 'gateway-1:3000' };
/** What the rules read: promtool takes minutes over everything. */
const READ = new Set(ALERTS.flatMap(({ expr }) => selectorsOf(expr)).map(({ metric }) => metric));
export const PATIENCE_MS = 120_000;

/** undefined: where it is not installed, nothing is shown. */
export const promtool = findTool(
  'promtool',
  'no shipped rule is shown to fire by a real fault (Debian: apt-get install prometheus).',
);

/** What Prometheus would have of a gateway before and during its faults, and what the shipped rules make of that. */
export class AlarmTrials {
  readonly tried: string[] = [];
  private readonly tests: object[] = [];

  /** @param baseUrl of the gateway that runs at the moment */
  constructor(private readonly baseUrl: () => string) {}

  get count(): number {
    return this.tests.length;
  }

  async scrape(): Promise<string> {
    return (await fetch(`${this.baseUrl()}/metrics`)).text();
  }

  /** The scrape that has the line. */
  shows(line: RegExp): Promise<string> {
    return eventually(
      `/metrics shows ${line.source}`,
      async () => {
        const text = await this.scrape();
        return line.test(text) ? text : undefined;
      },
      PATIENCE_MS,
    );
  }

  /** A healthy gateway for three minutes, each moment of the fault as long, and the last one for twenty: none of the alarms before, each of them then. */
  async record(alerts: readonly string[], moments: () => Promise<readonly (string | null)[]>): Promise<void> {
    const [healthy, during] = [await this.scrape(), await moments()];
    const all = [healthy, ...during];
    const ups = all.flatMap((text, at) =>
      Array<number>(at + 1 < all.length ? HELD.each : HELD.last).fill(text === null ? 0 : 1),
    );
    const up: RecordedSeries = { series: 'up{job="sutura",instance="gateway-1:3000"}', values: ups.join(' ') };
    this.tried.push(...alerts);
    this.tests.push({
      name: alerts.join(' '),
      interval: `${INTERVAL_S}s`,
      input_series: [up, ...heldSeries(all, TARGET, HELD).filter(({ series }) => READ.has(series.split('{')[0]!))],
      promql_expr_test: alerts.flatMap((alert) => {
        const active = `ALERTS{alertname="${alert}"}`;
        const firing = `ALERTS{alertname="${alert}",alertstate="firing"}`;
        const end = `${Math.floor((ups.length * INTERVAL_S) / 60) - 1}m`;
        return [
          { expr: `count(max_over_time(${active}[2h]))`, eval_time: '2m', exp_samples: [] },
          {
            expr: `count(max_over_time(${firing}[2h])) > bool 0`,
            eval_time: end,
            exp_samples: [{ labels: '{}', value: 1 }],
          },
        ];
      }),
    });
  }

  /** What promtool says of all that was recorded, under the shipped rules. */
  async judge(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'sutura-alarms-'));
    try {
      const file = join(folder, 'alarms.test.yml');
      const rules = { rule_files: [join(ROOT, 'ops/alerts.yml')], evaluation_interval: `${INTERVAL_S}s` };
      // JSON is YAML, too.
      await writeFile(file, JSON.stringify({ ...rules, tests: this.tests }));
      return execFileSync(promtool!, ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    } catch (fault) {
      return String((fault as { readonly stderr?: unknown }).stderr ?? fault).slice(0, 4000);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
