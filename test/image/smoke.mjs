// See ops/smoke-image.sh, which prepares the namespaces and starts this.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { exchange } from '../../scripts/demo-hl7/mllp.mjs';
import { orderMessage } from '../../scripts/demo-hl7/order-message.mjs';
import { drawPhoto } from '../../scripts/demo-series/draw-photo.mjs';
import { WOUND_COURSE } from '../../scripts/demo-series/wound-course.mjs';
import { SuturaClient } from '../../sdk/javascript/dist/index.mjs';
import { startPostgresServer } from '../support/postgres-server.mjs';
import { Container } from './container.mjs';
import { unpackImage } from './unpacked-image.mjs';

const READY_MS = 10_000;
const STOP_MS = 30_000;
const MLLP_PORT = 2575;
const PORTS = { api: 3000, worker: 3001, hl7: 3002 };
/** What a container must not be able to do, tried by Node.js itself as there is no shell. */
const CONFINEMENT = `
  const { writeFileSync, existsSync, readdirSync } = require('node:fs');
  const tell = (work) => { try { return work() } catch ({ code }) { return code } };
  const socket = require('node:net').connect(9, '192.0.2.1');
  socket.on('error', ({ code }) => {
    console.log(JSON.stringify({
      uid: process.getuid(), pid: process.pid,
      program: tell(() => writeFileSync('/srv/sutura/dist/src/main.js', '')),
      etc: tell(() => writeFileSync('/etc/x', '')),
      tmp: tell(() => { writeFileSync('/tmp/x', ''); return 'written' }),
      shells: ['/bin/sh', '/usr/bin/sh', '/bin/bash', '/bin/busybox', '/usr/bin/env'].filter((path) => existsSync(path)),
      programs: readdirSync('/usr/local/bin'),
      network: code,
    }));
  });`;

const image = await unpackImage(resolve(process.argv[2]));
const postgres = await startPostgresServer();
const shared = {
  DATABASE_URL: postgres.url,
  SUTURA_MIGRATE_AT_START: 'off',
  SUTURA_WORKER_PROCESSES: '1',
  HL7_HOST: '127.0.0.1',
  PUBLIC_URL: `http://127.0.0.1:${PORTS.api}`,
};
const running = [];

function say(text) {
  process.stdout.write(`${text}\n`);
}

/** A program of the image that ends by itself; its standard output. */
async function runOnce(args, settings = shared) {
  const container = new Container(image, settings, args);
  const { code } = await container.exited;
  assert.equal(code, 0, `${args.join(' ').slice(0, 80)}: ${container.output}`);
  return container.output.trim();
}

const cli = async (...words) => JSON.parse(await runOnce(['dist/src/cli.js', ...words, '--json']));

async function prepare() {
  const seen = JSON.parse(await runOnce(['--eval', CONFINEMENT]));
  assert.deepEqual(seen, {
    uid: 10001,
    pid: 1,
    program: 'EROFS',
    etc: 'EROFS',
    tmp: 'written',
    shells: [],
    programs: ['node'],
    network: 'ENETUNREACH',
  });
  say('confined: account 10001, root folder read-only, no shell, no network but loopback');
  const { applied } = await cli('database', 'migrate');
  say(`migrated: ${applied} migrations`);
  const { id: organization } = await cli('org', 'create', '--name', 'Smoke', '--plan', 'pro');
  const scopes = 'images:write,analysis:write,analysis:read';
  const { key } = await cli('key', 'create', '--org', organization, '--env', 'test', '--scopes', scopes);
  await cli(
    'hl7',
    'listener',
    'create',
    '--org',
    organization,
    '--env',
    'test',
    '--name',
    'ward',
    '--port',
    String(MLLP_PORT),
  );
  return key;
}

async function startRoles() {
  const roles = {};
  for (const [role, port] of Object.entries(PORTS)) {
    roles[role] = new Container(image, { ...shared, SUTURA_ROLES: role, PORT: String(port) });
    running.push(roles[role]);
    const ms = await roles[role].ready();
    say(`ready: ${role} after ${ms} ms`);
    assert.ok(ms <= READY_MS, `${role} took ${ms} ms to become ready`);
  }
  await runOnce(['scripts/health-check.mjs'], { PORT: String(PORTS.api) });
  const idle = new Container(image, { PORT: '1' }, ['scripts/health-check.mjs']);
  assert.equal((await idle.exited).code, 1);
  say('health check: 0 beside a gateway, 1 without one');
  return roles;
}

async function analyse(key) {
  const { jpeg } = await drawPhoto(WOUND_COURSE[3]);
  const client = new SuturaClient({ apiKey: key, baseUrl: `http://127.0.0.1:${PORTS.api}` });
  const began = performance.now();
  const job = await client.analyzeImageAndWait({ file: jpeg, calibration: { mmPerPixel: 0.2 }, timeoutMs: 120_000 });
  assert.equal(job.status, 'completed');
  assert.equal(job.result.woundDetected, true);
  say(
    `analysed: ${job.result.totals.woundCount} wound, ${Math.round(performance.now() - began)} ms from upload to result`,
  );
  for (const [accept, begin] of [
    ['application/pdf', '%PDF-'],
    ['text/html', '<!'],
  ]) {
    const answer = await fetch(job.links.report, { headers: { authorization: `Bearer ${key}`, accept } });
    assert.equal(answer.status, 200, accept);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.ok(bytes.toString('latin1', 0, begin.length) === begin, accept);
    say(`report: ${accept}, ${Math.round(bytes.length / 1024)} kB`);
  }
  const overlay = await fetch(job.links.artifacts.overlay, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(overlay.status, 200);
  for (const path of ['/api-docs', '/docs/', '/fhir/metadata', '/metrics'])
    assert.equal((await fetch(`http://127.0.0.1:${PORTS.api}${path}`)).status, 200, path);
  return jpeg;
}

async function sendOrder(jpeg) {
  const numbers = { controlId: 'SMOKE-1', patientNumber: '4711', woundNumber: 'W-1', orderNumber: 'A-1' };
  const message = orderMessage({ ...numbers, jpeg, takenAt: new Date(Date.now() - 60_000), context: 'Smoke' });
  const answer = await exchange({ host: '127.0.0.1', port: MLLP_PORT }, message, 60_000);
  assert.match(answer, /\rMSA\|AA\|SMOKE-1/);
  say('HL7 v2: order with photo over MLLP, acknowledged AA');
}

async function stopAll(roles) {
  for (const [role, container] of Object.entries(roles)) {
    const peakMib = Math.round(container.peakMib());
    const { code, ms } = await container.stop();
    assert.equal(code, 0, `${role} ended with ${code}:\n${container.output.slice(-2000)}`);
    assert.ok(ms <= STOP_MS, `${role} took ${ms} ms to stop`);
    say(`stopped: ${role} in ${ms} ms with code 0; at most ${peakMib} MiB of memory`);
  }
}

/** A first process takes no signal that it does not listen for, and a start may wait a minute for its database. */
async function stopWhileStarting() {
  const container = new Container(image, { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', PORT: '3009' });
  while (!container.output.includes('database.waiting')) await new Promise((next) => setTimeout(next, 20));
  const { code, ms } = await container.stop();
  assert.equal(code, 143);
  say(`stopped while starting: in ${ms} ms`);
}

try {
  say(`image ${image.digest}`);
  const key = await prepare();
  const roles = await startRoles();
  await sendOrder(await analyse(key));
  await stopAll(roles);
  await stopWhileStarting();
  say('The image works.');
} finally {
  for (const container of running) container.kill();
  await postgres.stop();
  await image.remove();
}
