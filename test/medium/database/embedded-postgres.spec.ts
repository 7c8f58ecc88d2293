import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { readSettings, type Settings } from '../../../src/platform/config/settings.js';
import { openDatabase, openDatabaseBeside, type DatabaseHandle } from '../../../src/platform/database/open-database.js';
import { Logger } from '../../../src/platform/logging/logger.js';

describe('the embedded database', () => {
  let dataDir: string;
  let settings: Settings;
  const open: DatabaseHandle[] = [];
  const events: string[] = [];
  const logger = Logger.create(
    'info',
    new PassThrough().on('data', (line: Buffer) =>
      events.push((JSON.parse(line.toString()) as { event: string }).event),
    ),
  );

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-embedded-'));
    settings = readSettings({ SUTURA_DATA_DIR: dataDir });
  });

  beforeEach(() => {
    events.length = 0;
  });

  afterEach(async () => {
    for (const handle of open.splice(0).reverse()) await handle.stop();
  });

  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const start = async (opener = openDatabase): Promise<DatabaseHandle> => {
    const handle = await opener(settings, logger);
    open.push(handle);
    return handle;
  };

  it('names a data folder that cannot be written to, at once', async () => {
    const begun = performance.now();
    await expect(openDatabase(readSettings({ SUTURA_DATA_DIR: '/proc/self' }), logger)).rejects.toThrow(
      /SUTURA_DATA_DIR: the folder cannot be written to \(E[A-Z]+\)/,
    );
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('starts in an empty folder, with a password that the owner alone can read, and keeps its rows over a restart', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 42 as answer');
    expect((await stat(join(dataDir, 'postgres-credentials.json'))).mode & 0o777).toBe(0o600);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
    await first.stop();
    await expect(query(first.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const second = await start();
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(events).toEqual(['database.started', 'database.stopped', 'database.started']);
  });

  it('runs as safely as PostgreSQL can', async () => {
    const { url } = await start();
    const [row] = await query(
      url,
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, current_setting('listen_addresses') as addresses`,
    );
    expect(row).toEqual({ fsync: 'on', pages: 'on', addresses: '127.0.0.1' });
  });

  it('lets a command join the running server, and leaves it running when the command ends', async () => {
    const gateway = await start();
    const command = await openDatabaseBeside(settings, logger);
    expect(command.url).toBe(gateway.url);
    await command.stop();
    expect(await query(gateway.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(events).toEqual(['database.started', 'database.joined']);
  });

  it('serves a command where no gateway runs, and stops with it', async () => {
    const command = await openDatabaseBeside(settings, logger);
    expect(await query(command.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await command.stop();
    await expect(query(command.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('comes back on the same address after a crash of the server', async () => {
    const { url } = await start();
    process.kill(await postmasterPid(dataDir), 'SIGQUIT');
    await eventuallyAnswers(url, events);
    expect(events).toEqual(['database.started', 'database.lost', 'database.started']);
  });

  it('starts past a process number that was left behind and belongs to another program now', async () => {
    await (await start()).stop();
    const lines = [process.pid, join(dataDir, 'postgres'), 0, 5432, '', '127.0.0.1', '', 'ready'];
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`);
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows ?? [];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function eventuallyAnswers(url: string, events: readonly string[]): Promise<void> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    const answered = await query(url, 'select 1').then(
      () => true,
      () => false,
    );
    if (answered && events.filter((event) => event === 'database.started').length === 2) return;
    if (performance.now() > deadline) throw new Error('The server did not come back.');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
