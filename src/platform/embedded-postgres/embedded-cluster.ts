import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SettingsError } from '../config/settings.js';
import type { Logger } from '../logging/logger.js';
import {
  ensureCluster,
  readOrMakeCredentials,
  readOwner,
  writeOwner,
  type ClusterCredentials,
} from './cluster-files.js';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { inspectPostmaster, readPostmasterFile, type PostmasterFile } from './postmaster.js';
import { refuseUnfinishedRestore } from './unfinished-restore.js';

const START_DEADLINE_MS = 60_000;
const POLL_MS = 20;
const WATCH_MS = 500;
/** Time for a fast shutdown. An immediate shutdown follows it, from which the next start recovers. */
const STOP_PATIENCE_MS = 10_000;
/**
 * Time for a server whose gateway is gone to end by itself, which its watchdog does within a second. Then it is
 * stopped.
 */
const ORPHAN_PATIENCE_MS = 2000;

/** A free port may be taken before the server binds it. Any other fault fails three times as well. */
const LAUNCH_TRIES = 3;
/** PostgreSQL's words for a lock file that cannot be made though no other server holds it. */
const COULD_NOT_LOCK = /could not (create|write|open) lock file/;

/** A cluster on disk, and the programs and the account that it is served with. */
interface Installation {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly binaries: PostgresBinaries;
  readonly credentials: ClusterCredentials;
}

/** The PostgreSQL cluster in `<dataDir>/postgres`, served by our own child process or by another gateway's. */
export class EmbeddedCluster {
  private server: ChildProcess | null = null;
  private watchdog: ChildProcess | null = null;
  private watcher: NodeJS.Timeout | null = null;
  private port = 0;
  private stopping = false;
  private restart: Promise<void> | null = null;
  private failedLaunches = 0;

  private constructor(
    private readonly installation: Installation,
    private readonly maxConnections: number,
    private readonly logger: Logger,
    private readonly onWaiting: () => void,
  ) {}

  /**
   * Starts the cluster, or joins the server that another living gateway runs on the same data folder.
   * @param onWaiting called whenever initdb or the server needs nothing more of this process
   */
  static async open(
    dataDir: string,
    maxConnections: number,
    logger: Logger,
    onWaiting: () => void,
  ): Promise<EmbeddedCluster> {
    await requireWritable(dataDir);
    await refuseUnfinishedRestore(dataDir);
    // Processes are recognised by the folder's name in their command line: one name for one folder.
    const folder = await realpath(dataDir);
    const installation = {
      dataDir: folder,
      clusterDir: join(folder, 'postgres'),
      binaries: await findPostgresBinaries(folder),
      credentials: await readOrMakeCredentials(folder),
    };
    const cluster = new EmbeddedCluster(installation, maxConnections, logger, onWaiting);
    await cluster.start();
    return cluster;
  }

  get url(): string {
    return `postgres://${this.installation.credentials.user}:${this.installation.credentials.password}@127.0.0.1:${this.port}/postgres`;
  }

  /**
   * From now on a server that ends unasked is started again on the same port: ours after a crash, or the one we
   * joined when its gateway stops.
   */
  keepRunning(): void {
    this.watcher = setInterval(() => {
      this.restart ??= this.restartIfGone().finally(() => (this.restart = null));
    }, WATCH_MS).unref();
  }

  /** Ends the server if it is ours. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.watcher !== null) clearInterval(this.watcher);
    await this.restart;
    const server = this.server;
    if (server !== null && server.exitCode === null && server.signalCode === null) {
      server.ref();
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      const impatience = setTimeout(() => server.kill('SIGQUIT'), STOP_PATIENCE_MS);
      await ended;
      clearTimeout(impatience);
      this.logger.info('database.stopped');
    }
    this.endWatchdog();
  }

  private async start(): Promise<void> {
    const deadline = performance.now() + START_DEADLINE_MS;
    const began = performance.now();
    let orphanSeenAt: number | null = null;
    while (performance.now() < deadline && !this.stopping) {
      const file = await readPostmasterFile(this.installation.clusterDir);
      const found = file === null ? null : await inspectPostmaster(file.pid, this.installation.clusterDir);
      if (file !== null && found?.state === 'running') {
        if (found.parentPid === (await readOwner(this.installation.dataDir)) || process.platform === 'win32') {
          if (await this.join(file)) return;
        } else {
          orphanSeenAt ??= performance.now();
          if (performance.now() - orphanSeenAt > ORPHAN_PATIENCE_MS) process.kill(file.pid, 'SIGINT');
        }
        await delay(100);
      } else if (found?.state === 'zombie') {
        // The process is dead, but its number is taken until the system reaps it; PostgreSQL would take it for alive.
        await delay(100);
      } else {
        if (found?.state === 'foreign') await rm(join(this.installation.clusterDir, 'postmaster.pid'), { force: true });
        if (await this.serve(began)) return;
      }
    }
    if (this.stopping) return;
    throw new Error('The embedded database did not start within 60 s. Another server may hold its data folder.');
  }

  private async join(file: PostmasterFile): Promise<boolean> {
    if (!file.ready || file.port === 0 || (this.port !== 0 && this.port !== file.port)) return false;
    this.port = file.port;
    this.server = null;
    this.logger.info('database.joined', { port: this.port });
    return true;
  }

  private async serve(began: number): Promise<boolean> {
    await ensureCluster(
      this.installation.dataDir,
      this.installation.clusterDir,
      this.installation.binaries,
      this.installation.credentials,
      this.onWaiting,
    );
    const port = this.port === 0 ? await freePort() : this.port;
    if (!(await this.launch(port))) {
      await delay(100);
      return false;
    }
    this.port = port;
    this.failedLaunches = 0;
    this.logger.info('database.started', { port, durationMs: Math.round(performance.now() - began) });
    return true;
  }

  /** False if another server holds the cluster, or (a few times) if this one ended at once. */
  private async launch(port: number): Promise<boolean> {
    // A session of its own: Ctrl-C reaches the gateway alone, which stops its work before its database.
    const detached = process.platform !== 'win32';
    const server = this.installation.binaries.spawn('postgres', this.serverArguments(port), {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached,
    });
    let complaint = '';
    // After the start this only empties the pipe. The server's log may quote rows, so it is not kept.
    server.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
    let failure: Error | null = null;
    server.once('error', (error) => (failure = error));
    this.server = server;
    this.watch(server);
    server.unref();
    (server.stderr as Socket | null)?.unref();
    let owned = false;
    while (failure === null && server.exitCode === null && server.signalCode === null) {
      const file = await readPostmasterFile(this.installation.clusterDir);
      const ours = file !== null && file.pid === server.pid;
      // Noted only once it holds the cluster, as the loser of a race must not claim the winner's server.
      if (ours && !owned) await writeOwner(this.installation.dataDir);
      owned ||= ours;
      if (ours && file.ready) return true;
      if (ours) this.onWaiting();
      await delay(POLL_MS);
    }
    this.server = null;
    this.endWatchdog();
    if (failure !== null) throw failure;
    if (complaint.includes('postmaster.pid') && !COULD_NOT_LOCK.test(complaint)) return false;
    this.failedLaunches += 1;
    if (this.failedLaunches < LAUNCH_TRIES) return false;
    throw new Error(`The embedded database ended at its start. postgres: ${complaint.trim()}`);
  }

  private serverArguments(port: number): string[] {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: String(this.maxConnections),
      log_error_verbosity: 'terse',
      log_min_error_statement: 'panic',
    };
    return [
      '-D',
      this.installation.clusterDir,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
  }

  /** Its standard input ends with our process, however that ends. Then it stops the server. */
  private watch(server: ChildProcess): void {
    if (process.platform === 'win32' || server.pid === undefined) return;
    this.watchdog = spawn('sh', ['-c', `cat >/dev/null; kill -INT ${server.pid}`], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.watchdog.on('error', () => undefined);
    this.watchdog.stdin?.on('error', () => undefined);
    this.watchdog.unref();
    (this.watchdog.stdin as Socket | null)?.unref();
  }

  private endWatchdog(): void {
    // Killed, not ended: by now the server's number may belong to another process.
    this.watchdog?.kill('SIGKILL');
    this.watchdog = null;
  }

  private async restartIfGone(): Promise<void> {
    if (await this.isServed()) return;
    this.endWatchdog();
    try {
      this.logger.warn('database.lost', { port: this.port });
      await this.start();
    } catch (error) {
      this.logger.error('database.restart_failed', { port: this.port }, error);
    }
  }

  private async isServed(): Promise<boolean> {
    if (this.server !== null) return this.server.exitCode === null && this.server.signalCode === null;
    const file = await readPostmasterFile(this.installation.clusterDir);
    return file !== null && (await inspectPostmaster(file.pid, this.installation.clusterDir)).state === 'running';
  }
}

/** SettingsError at once if the server cannot become available. */
async function requireWritable(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    const trial = join(dataDir, `write-trial.${process.pid}`);
    await writeFile(trial, '');
    await rm(trial);
  } catch (error) {
    throw new SettingsError(
      `These settings cannot be used:\n  SUTURA_DATA_DIR: the folder cannot be written to (${String((error as NodeJS.ErrnoException).code)})`,
    );
  }
}

/** A port that is free at this moment. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
