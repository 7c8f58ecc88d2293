import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';

const OLD_ROWS = 12_000;
/** A writer that is gone keeps others out until its lease ends. */
const LEASE_ENDED = `update audit_archives set lease_until = now() where state = 'writing'`;

describe('a gateway that is killed while it archives the audit trail', () => {
  let base: Gateway;
  let steady: Gateway;
  let folder: string;
  beforeEach(async () => {
    base = await startGateway({ roles: 'api' });
    steady = base;
    folder = await mkdtemp(join(tmpdir(), 'sutura-lost-archives-'));
  });
  afterEach(async () => {
    if (steady !== base) await steady?.stop();
    await base?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const query = <Row extends object>(sql: string, values: unknown[] = []) =>
    queryDatabase<Row>(base.databaseUrl, sql, values);
  const start = (env: Record<string, string> = {}) =>
    startGateway({ roles: 'api', databaseUrl: base.databaseUrl, dataDir: base.dataDir, env });
  const cli = (...words: string[]) =>
    runCommand([...words, '--json'], { DATABASE_URL: base.databaseUrl, SUTURA_DATA_DIR: base.dataDir });
  const oldRows = async (): Promise<number> =>
    (await query<{ n: number }>(`select count(*)::int as n from audit_events where key_id = 'old'`))[0]!.n;

  it.each([
    ['before the file is put', 'audit_archive_begun', 'all'],
    ['when the file is put and read back, before that is written down', 'audit_archive_put', 'all'],
    ['when the file is kept, before a row goes', 'audit_archive_kept', 'all'],
    ['when some of the rows are gone', 'audit_archive_dropping', 'some'],
  ])(
    '%s (%s): no row is gone without its archive, and the next one ends it',
    async (_, point, left) => {
      const organizationId = await base.createOrganization('enterprise');
      await query(
        `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources)
           select $1, 'test', now() - interval '800 days', 'fhir', 'read', 'R', 'old', '{}' from generate_series(1, $2)`,
        [organizationId, OLD_ROWS],
      );
      expect((await cli('audit', 'verify')).code).toBe(0);
      await query('insert into retention_policies (organization_id, audit_days) values ($1, 730)', [organizationId]);
      await base.kill();

      const doomed = await startGateway({
        roles: 'api',
        databaseUrl: base.databaseUrl,
        dataDir: base.dataDir,
        until: 'spawned',
        env: { SUTURA_FP: `${point}:kill` },
      });
      expect((await doomed.process.exited).signal).toBe('SIGKILL');
      const rows = await oldRows();
      if (left === 'all') expect(rows).toBe(OLD_ROWS);
      else expect([rows > 0, rows < OLD_ROWS]).toEqual([true, true]);
      const whole = await cli('audit', 'verify');
      expect([whole.code, JSON.parse(whole.out).breaks]).toEqual([0, []]);

      await query(LEASE_ENDED);
      steady = await start();
      await eventually('the rows to be archived', async () => ((await oldRows()) === 0 ? true : undefined), 30_000);
      await eventually(
        'the archive to be emptied',
        async () =>
          (await query(`select from audit_archives where state = 'emptied'`)).length === 1 ? true : undefined,
        10_000,
      );
      expect(JSON.parse((await cli('audit', 'verify')).out)).toMatchObject({ breaks: [] });
      const out = await cli('audit', 'archives', '--org', organizationId, '--out', folder);
      expect(JSON.parse(out.out)).toMatchObject([{ rows: OLD_ROWS, state: 'emptied', first: 1 }]);
      const [archive] = JSON.parse(out.out) as { last: number }[];
      const offline = await cli('audit', 'verify', '--export', join(folder, `test-1-${archive!.last}.ndjson`));
      expect(JSON.parse(offline.out)).toMatchObject({ rows: OLD_ROWS, breaks: [] });
    },
    180_000,
  );
});
