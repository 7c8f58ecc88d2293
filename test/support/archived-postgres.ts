import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findTool } from '../deployment/tools.js';
import { findDebianPostgres } from './debian-postgres.js';
import { queryDatabase } from './database-query.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);
const EXAMPLES = resolve(__dirname, '../../ops/pgbackrest');

/** The programs of a PostgreSQL server with pgBackRest; undefined where one is missing, which the output says. */
export function findArchivedPostgres(): { readonly binaries: string; readonly pgbackrest: string } | undefined {
  const pgbackrest = findTool('pgbackrest', 'the way back to a point in time is not rehearsed');
  const binaries = findDebianPostgres('the way back to a point in time is not rehearsed');
  return pgbackrest === undefined || binaries === undefined ? undefined : { binaries, pgbackrest };
}

/** A PostgreSQL server that archives with pgBackRest, by the files of ops/pgbackrest. */
export class ArchivedPostgres {
  private server: ChildProcess | null = null;

  private constructor(
    private readonly programs: NonNullable<ReturnType<typeof findArchivedPostgres>>,
    private readonly ground: string,
    private readonly port: number,
    private readonly account: { readonly uid: number; readonly gid: number } | null,
    private readonly repository: Readonly<Record<string, string>>,
  ) {}

  /** @param repository options of pgBackRest by name, where the repository is no folder of this machine */
  static async start(
    programs: NonNullable<ReturnType<typeof findArchivedPostgres>>,
    repository: Readonly<Record<string, string>> = {},
  ): Promise<ArchivedPostgres> {
    const ground = await mkdtemp(join(tmpdir(), 'sutura-archived-'));
    const account = process.getuid?.() === 0 ? await accountOf('postgres') : null;
    const postgres = new ArchivedPostgres(programs, ground, await freePort(), account, repository);
    try {
      await postgres.prepare();
      await postgres.serve();
      await postgres.pgbackrest('stanza-create');
      await postgres.pgbackrest('check');
      return postgres;
    } catch (fault) {
      await postgres.stop();
      throw fault;
    }
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Runs as an operator types it, with the paths of this test. */
  async pgbackrest(...words: string[]): Promise<void> {
    await run(this.programs.pgbackrest, ['--stanza=sutura', ...words], this.options());
  }

  /** What was committed before this call is in the archive once this returns: no later than archive_timeout, as on any server. */
  async archived(): Promise<void> {
    const [row] = await queryDatabase<{ wal: string }>(this.url, 'select pg_walfile_name(pg_current_wal_lsn()) as wal');
    await eventually(
      'the archive has the WAL up to here',
      async () => {
        const [state] = await queryDatabase<{ there: boolean }>(
          this.url,
          'select coalesce(last_archived_wal >= $1, false) as there from pg_stat_archiver',
          [row!.wal],
        );
        return state!.there;
      },
      60_000,
      200,
    );
  }

  /** As the loss of the machine: the server is killed, and its data are gone. */
  async lose(): Promise<void> {
    const server = this.server;
    if (server === null) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
    this.server = null;
    await rm(join(this.ground, 'data'), { recursive: true });
  }

  /** Starts the server at this moment, out of the archive alone. */
  async comeBackTo(moment: string): Promise<void> {
    await this.makeFolder('data');
    await this.pgbackrest('--type=time', `--target=${moment}`, '--target-action=promote', 'restore');
    await this.serve();
    await eventually(
      'the server is past its recovery',
      async () => {
        const rows = await queryDatabase<{ done: boolean }>(this.url, 'select not pg_is_in_recovery() as done').catch(
          () => [],
        );
        return rows[0]?.done === true;
      },
      60_000,
      200,
    );
  }

  async stop(): Promise<void> {
    if (this.server === null) return;
    const ended = once(this.server, 'exit');
    this.server.kill('SIGINT');
    await ended;
    await rm(this.ground, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    await chmod(this.ground, 0o755);
    for (const name of ['data', 'repository', 'log', 'lock', 'spool', 'socket']) await this.makeFolder(name);
    await writeFile(join(this.ground, 'pgbackrest.conf'), await readFile(join(EXAMPLES, 'pgbackrest.conf')), {
      mode: 0o644,
    });
    const data = join(this.ground, 'data');
    await run(
      join(this.programs.binaries, 'initdb'),
      ['-D', data, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'],
      this.options(),
    );
    const settings = await readFile(join(EXAMPLES, 'postgresql.conf'), 'utf8');
    const here = [
      `port = ${this.port}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = '${join(this.ground, 'socket')}'`,
      // A test does not wait for a minute.
      'archive_timeout = 2',
    ];
    await appendFile(join(data, 'postgresql.conf'), [settings, ...here, ''].join('\n'));
  }

  private async makeFolder(name: string): Promise<void> {
    const folder = join(this.ground, name);
    await mkdir(folder, { mode: 0o700 });
    if (this.account !== null) await chown(folder, this.account.uid, this.account.gid);
  }

  private async serve(): Promise<void> {
    const server = spawn(join(this.programs.binaries, 'postgres'), ['-D', join(this.ground, 'data')], {
      ...this.options(),
      stdio: 'ignore',
    });
    this.server = server;
    process.once('exit', () => server.kill('SIGQUIT'));
    await eventually(
      'PostgreSQL answers',
      () =>
        queryDatabase(this.url, 'select 1').then(
          (rows) => rows.length === 1,
          () => false,
        ),
      60_000,
      200,
    );
  }

  /** Of pgBackRest, for the server too, whose archive_command calls it. */
  private options(): {
    readonly cwd: string;
    readonly env: Record<string, string>;
    readonly uid?: number;
    readonly gid?: number;
  } {
    const paths = {
      CONFIG: join(this.ground, 'pgbackrest.conf'),
      REPO1_PATH: join(this.ground, 'repository'),
      REPO1_CIPHER_PASS: 'of-this-test',
      LOG_PATH: join(this.ground, 'log'),
      LOCK_PATH: join(this.ground, 'lock'),
      SPOOL_PATH: join(this.ground, 'spool'),
      PG1_PATH: join(this.ground, 'data'),
      PG1_PORT: String(this.port),
      PG1_SOCKET_PATH: join(this.ground, 'socket'),
      PG1_USER: 'postgres',
      ...this.repository,
    };
    const env = Object.fromEntries(Object.entries(paths).map(([name, value]) => [`PGBACKREST_${name}`, value]));
    return { cwd: this.ground, env: { PATH: process.env['PATH'] ?? '', ...env }, ...this.account };
  }
}

async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}
