import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endProcess, spawnKept } from './child-program.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const PLENTY = '100000';
/** Node's options, as `npm start` gives them. */
const START = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .scripts.start.split(' ')
  .filter((word) => word.startsWith('--'));
/** What `npm start` runs once it has built it, as each benchmark does before it begins. */
const PROGRAM = 'dist/src/main.js';
const HERE = { address: '127.0.0.1', launcher: [] };

/**
 * Starts the built gateway as its own process and waits for readiness. Reads are not throttled; the quota is raised per organization.
 *
 * @param {{ databaseUrl?: string, dataDir?: string, env?: Record<string, string>, program?: string, host?: { address: string, launcher: string[] } }} wish without a databaseUrl it brings
 * its embedded database; `program` is started instead of the product's own; `host` has an address, and the words that start a program there
 */
export async function startGateway({ databaseUrl, dataDir, env = {}, program = PROGRAM, host = HERE }) {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'sutura-bench-')));
  const adminToken = randomBytes(24).toString('hex');
  const variables = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HOST: host.address,
    PORT: '0',
    SUTURA_DATA_DIR: folder,
    SUTURA_ADMIN_TOKEN: adminToken,
    SUTURA_READS_PER_S: PLENTY,
    SUTURA_READ_BURST: PLENTY,
    SUTURA_WRITES_PER_S: PLENTY,
    SUTURA_WRITE_BURST: PLENTY,
    SUTURA_ORGANIZATION_WRITES_PER_S: PLENTY,
    SUTURA_ORGANIZATION_WRITE_BURST: PLENTY,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    // Scenarios file one photo for many patients.
    SUTURA_ALLOW_REUSED_PHOTOS: 'true',
    ...env,
  };
  const began = performance.now();
  const [command, ...words] = [...host.launcher, process.execPath, ...START, program];
  const child = spawnKept(command, words, {
    cwd: ROOT,
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const baseUrl = `http://${host.address}:${await listeningPort(child, output)}`;
  await untilReady(baseUrl, child, output);
  return {
    baseUrl,
    child,
    dataDir: folder,
    readyMs: performance.now() - began,
    admin: (method, path, body) => admin(baseUrl, adminToken, method, path, body),
    /** While others are measured it stands still: what it does behind its answers would slow them. */
    async pausedDuring(work) {
      child.kill('SIGSTOP');
      try {
        return await work();
      } finally {
        child.kill('SIGCONT');
      }
    },
    /** As a machine that fails: at once, and nothing is put away. */
    kill: () => endProcess(child, 'SIGKILL'),
    async stop({ keepData = false } = {}) {
      await endProcess(child);
      if (!keepData && dataDir === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Resident memory in MiB of a process and of each of its inference processes (Linux). */
export function memoryOf(pid) {
  const rssMiB = (id) => (Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]) * 4096) / 1024 ** 2;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const inference = children.filter((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('inference-child'));
  return { gatewayMiB: Math.round(rssMiB(pid)), inferenceMiB: inference.map((id) => Math.round(rssMiB(id))) };
}

function collect(child) {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output.text = (output.text + chunk).slice(-200_000)));
  return output;
}

async function listeningPort(child, output) {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 10) {
    const line = output.text.split('\n').find((text) => text.includes('"server.listening"'));
    if (line !== undefined) return JSON.parse(line).port;
    if (child.exitCode !== null) break;
    await pause(10);
  }
  throw new Error(`The gateway did not start:\n${output.text.slice(-3000)}`);
}

async function untilReady(baseUrl, child, output) {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 10) {
    const answer = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (child.exitCode !== null) break;
    await pause(10);
  }
  throw new Error(`The gateway did not become ready:\n${output.text.slice(-3000)}`);
}

async function admin(baseUrl, token, method, path, body) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(`${baseUrl}/admin/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`admin ${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? null : response.json();
}
