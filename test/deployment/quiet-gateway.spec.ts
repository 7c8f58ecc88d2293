import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../docs/pages.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { Hl7Hospital } from '../support/hl7-hospital.js';
import { ALERTS, readExposition, selectorsOf, valuesListed } from './prometheus.js';
import { recordedSeries } from './recorded-scrapes.js';
import { findTool } from './tools.js';

const SCRAPE_INTERVAL_S = 15;
/** Durations have a series for each route, status or outcome, which nobody knows beforehand. */
const OF_DURATIONS = /_seconds_count$/;
/** Of a queue in Redis alone. */
const OF_REDIS = 'sutura_queue_fallbacks_total';
const SIMULATED_MINUTES = 120;
/** Read from the database at a scrape, and at most once in five seconds: another value is another reading. */
const OF_A_READING = /^sutura_database_clock_offset_seconds (\S+)$/m;

const promtool = findTool(
  'promtool',
  'the shipped rules are not tried with a quiet gateway (Debian: apt-get install prometheus).',
);
const itWithPromtool = promtool === undefined ? it.skip : it;

describe('a gateway with all roles that has nothing to do, scraped as ops/prometheus.yml says', () => {
  let gateway: Gateway;
  let hospital: Hl7Hospital;
  const scrapes: string[] = [];

  /** A scrape for which the database was read, as each is that comes fifteen seconds after the last. */
  async function scrapeWithReadings(): Promise<string> {
    const last = OF_A_READING.exec(scrapes.at(-1) ?? '')?.[1];
    return eventually('the figures of the database are read', async () => {
      const text = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
      const read = OF_A_READING.exec(text)?.[1];
      return read !== undefined && read !== last ? text : undefined;
    });
  }

  beforeAll(async () => {
    gateway = await startGateway({ env: { SUTURA_SWEEP_INTERVAL_MS: '5000', SUTURA_LEASE_S: '60' } });
    hospital = await Hl7Hospital.open(gateway);
    while (scrapes.length < 5) scrapes.push(await scrapeWithReadings());
  }, 120_000);
  afterAll(async () => {
    await hospital?.close();
    await gateway?.stop();
  });

  it('has no statement that waits for a connection', () => {
    const waiting = scrapes.flatMap((text) => [...text.matchAll(/^sutura_database_pool_waiting\{.*\} (\S+)$/gm)]);
    expect(waiting).toHaveLength(2 * scrapes.length);
    expect(waiting.filter(([, count]) => count !== '0').map(([line]) => line)).toEqual([]);
  });

  it('shows from its start what alarms ask the growth of, so that they see the first burst of it', () => {
    const { samples } = readExposition(scrapes[0]!);
    const asked = ALERTS.flatMap(({ expr }) => [...expr.matchAll(/increase\((.+?)\[\d+[mh]\]/g)])
      .flatMap(([, within]) => selectorsOf(within!))
      .filter(({ metric }) => !OF_DURATIONS.test(metric));
    expect(asked.length).toBeGreaterThan(10);
    const missing = asked.flatMap(({ metric, matchers }) => {
      const listed = matchers.map((matcher) => ({ label: matcher.label, values: valuesListed(matcher)! }));
      const combined = listed.reduce<Record<string, string>[]>(
        (all, { label, values }) => all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
        [{}],
      );
      return combined
        .filter((wanted) => {
          const fits = (labels: Readonly<Record<string, string>>) =>
            Object.entries(wanted).every(([label, value]) => labels[label] === value);
          return metric !== OF_REDIS && !samples.some(({ name, labels }) => name === metric && fits(labels));
        })
        .map((wanted) => [metric, wanted]);
    });
    expect(missing).toEqual([]);
  });

  itWithPromtool(
    'raises no alarm within two hours',
    async () => {
      const length = (SIMULATED_MINUTES * 60) / SCRAPE_INTERVAL_S;
      const target = { job: 'sutura', instance: 'gateway-1:3000' };
      const moments = Array.from({ length: SIMULATED_MINUTES / 3 }, (_, index) => `${(index + 1) * 3}m`);
      const test = {
        rule_files: [join(ROOT, 'ops/alerts.yml')],
        evaluation_interval: `${SCRAPE_INTERVAL_S}s`,
        tests: [
          {
            interval: `${SCRAPE_INTERVAL_S}s`,
            input_series: [
              { series: 'up{job="sutura",instance="gateway-1:3000"}', values: `1x${length}` },
              ...recordedSeries(scrapes, target, length),
            ],
            alert_rule_test: moments.flatMap((eval_time) =>
              ALERTS.map(({ alert: alertname }) => ({ eval_time, alertname, exp_alerts: [] })),
            ),
          },
        ],
      };
      const folder = await mkdtemp(join(tmpdir(), 'sutura-quiet-'));
      try {
        const file = join(folder, 'quiet.test.yml');
        // JSON is YAML, too.
        await writeFile(file, JSON.stringify(test));
        expect(promtoolSays(file)).toContain('SUCCESS');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    180_000,
  );
});

function promtoolSays(file: string): string {
  try {
    return execFileSync(promtool!, ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
  } catch (fault) {
    return String((fault as { readonly stderr?: unknown }).stderr ?? fault).slice(0, 4000);
  }
}
