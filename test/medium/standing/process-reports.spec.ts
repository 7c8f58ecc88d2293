import { register } from 'prom-client';
import { IdSource } from '../../../src/core/ports/id-source.js';
import { SEAL_AGE } from '../../../src/core/standing/service-findings.js';
import { Settings } from '../../../src/platform/config/settings.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { labelledGaugeOf, gaugeOf } from '../../../src/platform/health/shared-metrics.js';
import { Readiness, ReadinessProbe } from '../../../src/platform/health/readiness.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { ProcessReports } from '../../../src/records/standing/process-reports.js';
import { StandingGround } from './standing-ground.js';

class Model extends ReadinessProbe {
  override readonly name = 'inference';
  isReady = true;
  override check(): Promise<void> {
    return this.isReady ? Promise.resolve() : Promise.reject(new Error('no model'));
  }
}

interface Report {
  readonly roles: readonly string[];
  readonly failing: Readonly<Record<string, string>>;
  readonly figures: Readonly<Record<string, number>>;
}

describe('the report of a process', () => {
  let ground: StandingGround;
  const model = new Model();
  const lines: { event: string }[] = [];
  let now = new Date('2026-03-15T08:00:00Z');

  function reportsOver(statements: Pick<SystemStatements, 'run'>): ProcessReports {
    const logger = Logger.create('info', {
      write: (line: string) => void lines.push(JSON.parse(line) as { event: string }),
    });
    const { context } = ground;
    return new ProcessReports(
      new Readiness(() => [model]),
      statements as SystemStatements,
      context.get(Settings),
      { now: () => now },
      logger,
      context.get(IdSource),
    );
  }
  const kept = () => ground.query<Report>('select roles, failing, figures from process_reports');

  beforeAll(async () => {
    ground = await StandingGround.open();
    register.clear();
    gaugeOf(SEAL_AGE, 'Sealed', () => 12);
    labelledGaugeOf('sutura_hl7_destination_certificate_days', 'Days', ['destination'], () => [
      { labels: { destination: 'd1' }, value: 3 },
    ]);
  });
  beforeEach(() => ground.clear());
  afterAll(() => ground?.close());

  it('that cannot be written is missed: the log says so once, and the process goes on', async () => {
    const reports = reportsOver({ run: () => Promise.reject(new Error('read-only')) });
    await reports.tell();
    await reports.tell();
    expect(lines.filter(({ event }) => event === 'process.not_told')).toHaveLength(1);
    await reports.beforeApplicationShutdown();
  });

  it('does not hold up a stop where the database gives no answer', async () => {
    const reports = reportsOver({ run: () => new Promise(() => undefined) });
    reports.onApplicationBootstrap();
    const began = performance.now();
    await reports.beforeApplicationShutdown();
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('has its roles, what is not ready and since when, and what only its own gauges know', async () => {
    const reports = reportsOver(ground.context.get(SystemStatements));
    await reports.tell();
    expect(await kept()).toEqual([
      {
        roles: ['api', 'worker', 'hl7'],
        failing: {},
        figures: { [SEAL_AGE]: 12, 'sutura_hl7_destination_certificate_days d1': 3 },
      },
    ]);
    model.isReady = false;
    await reports.tell();
    now = new Date('2026-03-15T08:05:00Z');
    await reports.tell();
    expect(await kept()).toMatchObject([{ failing: { inference: '2026-03-15T08:00:00.000Z' } }]);
    model.isReady = true;
    await reports.tell();
    expect(await kept()).toMatchObject([{ failing: {} }]);
  });

  it('goes also where the last could not be written', async () => {
    const statements = ground.context.get(SystemStatements);
    let isAway = false;
    const run: SystemStatements['run'] = (sql, values) =>
      isAway ? Promise.reject(new Error('away')) : statements.run(sql, values);
    const reports = reportsOver({ run });
    await reports.tell();
    isAway = true;
    await reports.tell();
    isAway = false;
    await reports.beforeApplicationShutdown();
    expect(await kept()).toEqual([]);
  });

  it('goes with a process that stops in order, and stays of one that died', async () => {
    const [stopped, died] = [1, 2].map(() => reportsOver(ground.context.get(SystemStatements)));
    await stopped!.tell();
    await died!.tell();
    await stopped!.beforeApplicationShutdown();
    expect(await kept()).toHaveLength(1);
  });
});
