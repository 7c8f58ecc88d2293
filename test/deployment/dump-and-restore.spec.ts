import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { textOf } from '../docs/pages.js';
import { callCommandLine } from '../support/command-line.js';
import { queryDatabase } from '../support/database-query.js';
import { findDebianPostgres } from '../support/debian-postgres.js';
import { startGateway } from '../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../support/hl7-hospital.js';
import { startPostgresServer, type PostgresServer } from '../support/postgres-server.mjs';
import { drawWoundPhoto } from '../support/wound-photo.js';

const run = promisify(execFile);
const PAGE = textOf('docs/upgrade.md');

/** Commands that docs/upgrade.md gives, as they stand there. */
const [DUMP, RESTORE] = [/`(pg_dump [^`]*)`/, /`(pg_restore [^`]*)`/].map(
  (command) => command.exec(PAGE)?.[1] ?? 'false',
);

const binaries = findDebianPostgres('pg_dump and pg_restore of docs/upgrade.md are not tried');
const describeWhereFound = binaries === undefined ? describe.skip : describe;

describe('docs/upgrade.md', () => {
  it('says that row-level security is never to be taken off for a back-up', () => {
    expect(PAGE).toMatch(/NO FORCE ROW LEVEL SECURITY[^.]*never/);
  });
});

describeWhereFound('the back-up of a PostgreSQL of one’s own, by the account of docs/deployment.md', () => {
  let server: PostgresServer;
  let ground: string;
  let hospital: Hl7Hospital | undefined;

  beforeAll(async () => {
    [server, ground] = await Promise.all([
      startPostgresServer('127.0.0.1', { binaries: binaries! }),
      mkdtemp(join(tmpdir(), 'sutura-dump-')),
    ]);
    await queryDatabase(server.url, `create role sutura login createrole password 'secret'`);
  });
  afterAll(async () => {
    await hospital?.close();
    await server?.stop();
    await rm(ground, { recursive: true, force: true });
  });

  const makeDatabase = async (name: string): Promise<string> => {
    await queryDatabase(server.url, `create database ${name} owner sutura`);
    const url = new URL(server.url);
    Object.assign(url, { username: 'sutura', password: 'secret', pathname: `/${name}` });
    return url.href;
  };

  const shell = (command: string, DATABASE_URL: string) =>
    run('sh', ['-c', command], { cwd: ground, env: { PATH: `${binaries}:${process.env['PATH']}`, DATABASE_URL } });

  /** Rows of each table, counted by the superuser. */
  const rowsOf = async (database: string): Promise<Record<string, number>> => {
    const url = Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
    const tables = await queryDatabase<{ name: string }>(
      url,
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    );
    const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`);
    const rows = await queryDatabase<{ name: string; rows: number }>(url, counts.join(' union all '));
    return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
  };

  it('without --enable-row-security stops with a fault, and what it leaves behind cannot be restored', async () => {
    const url = await makeDatabase('refused');
    const settings = { DATABASE_URL: url, SUTURA_DATA_DIR: join(ground, 'refused') };
    expect(await callCommandLine(['database', 'migrate'], settings)).toMatchObject({ code: 0 });
    await expect(shell(DUMP!.replace('--enable-row-security ', ''), url)).rejects.toThrow(/row-level security/);
    await expect(shell(RESTORE!, await makeDatabase('half'))).rejects.toThrow(/end of file/);
    await rm(join(ground, 'sutura.dump'), { force: true });
  }, 120_000);

  it('holds every row, and a gateway goes on with it: report, audit trail and objects are whole', async () => {
    const url = await makeDatabase('before');
    const first = await startGateway({ databaseUrl: url, dataDir: ground });
    hospital = await Hl7Hospital.open(first);
    const photo = await drawWoundPhoto({ seed: 5 });
    expect(await hospital.send(orderMessage({ order: 'O-1', photo }))).toContain('MSA|AA');
    await hospital.result('O-1');
    await first.stop();
    await shell(DUMP!, url);
    expect((await stat(join(ground, 'sutura.dump'))).size).toBeGreaterThan(10_000);

    const restored = await makeDatabase('restored');
    await shell(RESTORE!, restored);
    const counted = await rowsOf('before');
    expect(counted).toMatchObject({ analysis_jobs: 1, images: 1 });
    expect(await rowsOf('restored')).toEqual(counted);

    const second = await startGateway({ databaseUrl: restored, dataDir: ground });
    const [report] = (await hospital.at(second).read<{ entry: unknown[] }>('DiagnosticReport')).entry;
    expect(report).toBeDefined();
    const settings = { DATABASE_URL: restored, SUTURA_DATA_DIR: ground };
    for (const words of [
      ['audit', 'verify'],
      ['objects', 'verify'],
    ])
      expect(await callCommandLine(words, settings)).toMatchObject({ code: 0 });
    await second.stop();
  }, 240_000);
});
