import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '.cache', 'redis');
/** The server itself is in redis-tools; the others are what a bare Debian lacks. Those that a release does not know are left out. */
const NEEDED = ['redis-server', 'redis-tools'];
const LIBRARIES = ['libjemalloc2', 'liblzf1', 'libatomic1'];
const START_DEADLINE_MS = 10_000;

/**
 * How to start a real Redis: the one on the PATH, else Debian's, unpacked into .cache/redis without root.
 * Throws with what to install where neither can be had.
 * @returns {Promise<{ command: string, env: Record<string, string> }>}
 */
export async function redisServerCommand() {
  const installed = { command: 'redis-server', env: {} };
  if (await works(installed)) return installed;
  const cached = await unpacked(CACHE);
  if (cached !== null && (await works(cached))) return cached;
  const fetched = await fetchRedis(CACHE).catch((error) => {
    throw new Error(
      `The tests need a real Redis, and Debian's could not be fetched (${error.message.split('\n')[0]}). Install redis-server, for example: apt-get install redis-server`,
    );
  });
  if (await works(fetched)) return fetched;
  throw new Error(
    'The tests need a real Redis, and the fetched one does not run here. Install redis-server, for example: apt-get install redis-server',
  );
}

/** Downloads and unpacks Debian's packages; needs apt-get and dpkg, no root. */
export async function fetchRedis(cache) {
  await mkdir(dirname(cache), { recursive: true });
  const draft = await mkdtemp(`${cache}-`);
  try {
    const options = await aptOptions(draft);
    for (const name of [...NEEDED, ...LIBRARIES]) {
      const download = run('apt-get', [...options, 'download', name], { cwd: draft });
      await (NEEDED.includes(name) ? download : download.catch(() => undefined));
    }
    for (const file of (await readdir(draft)).filter((name) => name.endsWith('.deb')))
      await run('dpkg', ['-x', join(draft, file), join(draft, 'root')]);
    await rm(cache, { recursive: true, force: true });
    await rename(join(draft, 'root'), cache);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const found = await unpacked(cache);
  if (found === null) throw new Error('the packages hold no redis-server');
  return found;
}

/** Where the system's package lists are missing, lists of our own, which need no root either. */
async function aptOptions(draft) {
  const { stdout } = await run('apt-cache', ['policy', 'redis-server']).catch(() => ({ stdout: '' }));
  if (/Candidate: \d/.test(stdout)) return [];
  const state = join(draft, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    await mkdir(join(state, folder), { recursive: true });
  const options = [
    '-o',
    `Dir::State::lists=${state}/lists`,
    '-o',
    `Dir::Cache=${state}/cache`,
    '-o',
    'APT::Sandbox::User=',
  ];
  await run('apt-get', [...options, 'update'], { timeout: 120_000 });
  return options;
}

async function unpacked(cache) {
  const libraries = join(cache, 'usr', 'lib');
  const folders = await readdir(libraries).catch(() => null);
  const programs = await readdir(join(cache, 'usr', 'bin')).catch(() => []);
  if (folders === null || !programs.includes('redis-server')) return null;
  const path = folders.filter((name) => name.endsWith('-linux-gnu')).map((name) => join(libraries, name));
  return { command: join(cache, 'usr', 'bin', 'redis-server'), env: { LD_LIBRARY_PATH: path.join(':') } };
}

async function works({ command, env }) {
  return run(command, ['--version'], { env: { ...process.env, ...env } }).then(
    () => true,
    () => false,
  );
}

/**
 * The Redis of one test run, on a free port, without files of its own.
 * @param {string} address at which it listens
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startRedisServer(address = '127.0.0.1') {
  const { command, env } = await redisServerCommand();
  const folder = await mkdtemp(join(tmpdir(), 'sutura-tests-redis-'));
  const port = await freePort();
  const where = ['--port', String(port), '--bind', address, '--protected-mode', 'no'];
  const args = [...where, '--dir', folder, '--save', '', '--daemonize', 'no'];
  // As with the database: nothing stays behind after a kill -9 of the test run.
  const script = '"$0" "$@" & cat >/dev/null; kill $!; wait';
  const server = spawn('sh', ['-c', script, command, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { ...process.env, ...env },
  });
  await answers(address, port);
  return {
    url: `redis://${address}:${port}`,
    async stop() {
      const ended = once(server, 'exit');
      server.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(address, port) {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline) {
    const socket = connect(port, address);
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await delay(20);
  }
  throw new Error('The tests need a real Redis, and redis-server did not start.');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
