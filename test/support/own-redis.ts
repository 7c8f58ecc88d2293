import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { redisServerCommand } from './redis-server.mjs';

/** A Redis that one test may empty, starve or stop. */
export class OwnRedis {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly options: readonly string[],
    private readonly files: readonly string[] = [],
  ) {}

  /** `options` as on redis-server's command line, for example `--maxmemory 1mb`. */
  static async start(options: readonly string[] = []): Promise<OwnRedis> {
    const redis = new OwnRedis(await mkdtemp(join(tmpdir(), 'sutura-own-redis-')), await freePort(), options);
    await redis.startAgain();
    return redis;
  }

  /** A Sentinel that watches the server on this port under this name. */
  static async startSentinel(name: string, watchedPort: number): Promise<OwnRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'sutura-own-sentinel-'));
    // A Sentinel writes what it learns into its file.
    const file = join(folder, 'sentinel.conf');
    await writeFile(file, `sentinel monitor ${name} 127.0.0.1 ${watchedPort} 1\n`);
    const sentinel = new OwnRedis(folder, await freePort(), ['--sentinel'], [file]);
    await sentinel.startAgain();
    return sentinel;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async startAgain(): Promise<void> {
    const { command, env } = await redisServerCommand();
    const saving = this.files.length === 0 ? ['--save', ''] : [];
    const flags = [
      ...this.files,
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.folder,
      ...saving,
      ...this.options,
    ];
    this.child = spawn(command, flags, { stdio: 'ignore', env: { ...process.env, ...env } });
    await eventually('Redis answers', async () => /^(\+PONG|-NOAUTH)/.test(await this.command('PING')));
  }

  /** One command in Redis's inline form; the first line of the answer. */
  command(text: string): Promise<string> {
    return new Promise((answered, failed) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${text}\r\n`));
      socket.setTimeout(5000, () => socket.destroy(new Error('Redis did not answer')));
      socket.once('data', (chunk) => {
        socket.destroy();
        answered(chunk.toString());
      });
      socket.once('error', failed);
    });
  }

  /** Ends at once, without saving. */
  async interrupt(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((exited) => child.once('exit', exited));
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.interrupt();
    await rm(this.folder, { recursive: true, force: true });
  }
}
