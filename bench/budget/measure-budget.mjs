// npm run budget [-- --photos N] [--fhir] [--both] [--webhook] [--json] [--list] [--database URL] [--most LIMITS]: what one photo costs the database and the processor, step by step.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGateway } from '../lib/gateway.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { startPostgres } from '../lib/postgres-server.mjs';
import { createTenants } from '../lib/tenants.mjs';
import { startWebhookReceiver } from '../lib/webhook-receiver.mjs';
import { createWebhook } from '../scenarios/s12-webhooks.mjs';
import { processorMs, writtenBytes } from './costs.mjs';
import { countSteps, stepOf } from './steps.mjs';
import { photograph, untilSettled } from './visits.mjs';

const TAP = resolve(import.meta.dirname, 'statement-tap.mjs');
const DAY_MS = 86_400_000;
const SCOPES = ['images:write', 'analysis:write', 'analysis:read', 'webhooks:manage'];
const { values } = parseArgs({
  options: {
    photos: { type: 'string', default: '10' },
    // of an organization that asks for FHIR, too
    fhir: { type: 'boolean', default: false },
    // of an organization that does not, then of one that does, through one gateway: { plain, fhir }. With --json alone
    both: { type: 'boolean', default: false },
    // with an endpoint for the two events of each photo
    webhook: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    // a fresh one of a server that runs; default: on a server of its own. With --json alone, which opens one gateway
    database: { type: 'string' },
    // { step: { statements, transactions } }, with --both { plain, fhir }: while a step costs more, as many photos are counted anew, so often at most
    most: { type: 'string', default: '{}' },
  },
});
const photos = Number(values.photos);
const most = JSON.parse(values.most);
/** A busy machine handles in two turns what it else handles in one, which costs more and never less. */
const ROUNDS = 5;

const folder = await mkdtemp(join(tmpdir(), 'sutura-budget-'));
const tapFile = join(folder, 'statements.jsonl');
await writeFile(tapFile, '');
const receiver = values.webhook ? await startWebhookReceiver() : null;
const postgres = values.database === undefined ? await startPostgres() : null;
const [{ bytes }] = await drawPhotos(['1 MP']);

/** A gateway on a database of its own. */
async function openGateway(env) {
  const databaseUrl = values.database ?? (await postgres.createDatabase());
  const gateway = await startGateway({
    databaseUrl,
    env: { SUTURA_WORKER_PROCESSES: '1', SUTURA_DELIVERY_NETWORKS: '127.0.0.0/8', ...env },
  });
  return { gateway, databaseUrl };
}

/** A wound of an organization of its own that has been photographed twice before. */
async function openWound({ gateway, databaseUrl }, withFhir) {
  const [tenant] = await createTenants(gateway, 1, SCOPES);
  const wound = { gateway, databaseUrl, tenant, taken: 0 };
  if (withFhir) await askForFhir(wound);
  if (values.webhook) await createWebhook(gateway, tenant, receiver.url, ['analysis.completed', 'report.ready']);
  for (let earlier = 0; earlier < 2; earlier += 1) await claimNext(wound);
  await untilSettled(wound.databaseUrl);
  return wound;
}

async function askForFhir({ gateway, tenant }) {
  const answer = await fetch(`${gateway.baseUrl}/fhir/Patient`, { headers: { authorization: tenant.authorization } });
  if (answer.status !== 200) throw new Error(`FHIR: ${answer.status} ${await answer.text()}`);
}

/** The next day's photo of the wound, from the upload address to the completed job. */
async function claimNext(wound) {
  const { gateway, tenant } = wound;
  const capturedAt = new Date(Date.now() - (300 - wound.taken) * DAY_MS).toISOString();
  wound.taken += 1;
  await photograph({ gateway, tenant, bytes, patientId: 'BUDGET-1', capturedAt });
}

/** Counts of one photo, step by step. */
async function countStatements() {
  const opened = await openGateway({ NODE_OPTIONS: `--import ${TAP}`, BENCH_TAP_FILE: tapFile });
  const steps = values.both
    ? { plain: await countSide(opened, false, most.plain), fhir: await countSide(opened, true, most.fhir) }
    : await countSide(opened, values.fhir, most);
  await opened.gateway.stop();
  return steps;
}

async function countSide(opened, withFhir, limits = {}) {
  const wound = await openWound(opened, withFhir);
  let steps = await countRound(wound);
  for (let round = 1; round < ROUNDS && isDearer(steps, limits); round += 1) steps = await countRound(wound);
  return steps;
}

function isDearer(steps, limits) {
  return Object.entries(limits).some(
    ([step, { statements, transactions }]) =>
      steps[step].statements > statements || steps[step].transactions > transactions,
  );
}

/** The median of each step over so many photos. */
async function countRound(wound) {
  const counted = [];
  for (let photo = 0; photo < photos; photo += 1) {
    await truncate(tapFile);
    await claimNext(wound);
    await untilSettled(wound.databaseUrl);
    const lines = (await readFile(tapFile, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    if (values.list) list(lines);
    counted.push(countSteps(lines));
  }
  return medians(counted);
}

function list(lines) {
  for (const line of lines)
    console.log(
      [
        stepOf(line) ?? '-',
        line.prepared ? 'prepared' : 'planned anew',
        line.text.replace(/\s+/g, ' ').slice(0, 80),
        line.senders[0] ?? '',
      ].join(' | '),
    );
}

function medians(counted) {
  return Object.fromEntries(
    [...counted[0].keys()].map((step) => [
      step,
      Object.fromEntries(
        Object.keys(counted[0].get(step)).map((figure) => [
          figure,
          counted.map((counts) => counts.get(step)[figure]).toSorted((a, b) => a - b)[counted.length >> 1],
        ]),
      ),
    ]),
  );
}

/** Processor time and bytes of the write-ahead log for a photo, without the tap, less what an idle gateway takes meanwhile. */
async function measureCosts() {
  const wound = await openWound(await openGateway({}), values.fhir);
  const idle = await costsDuring(wound, () => pause(5000));
  const busy = await costsDuring(wound, async () => {
    for (let photo = 0; photo < photos; photo += 1) await claimNext(wound);
    await untilSettled(wound.databaseUrl);
  });
  await wound.gateway.stop();
  const ofOne = (figure) => (busy[figure] - (idle[figure] / idle.tookMs) * busy.tookMs) / photos;
  return {
    gatewayMs: ofOne('gatewayMs'),
    inferenceMs: ofOne('inferenceMs'),
    postgresMs: ofOne('postgresMs'),
    writtenKiB: ofOne('writtenBytes') / 1024,
  };
}

async function costsDuring({ gateway, databaseUrl }, work) {
  const read = async () => ({
    ...processorMs(gateway.child.pid, databaseUrl),
    writtenBytes: await writtenBytes(databaseUrl),
  });
  const [before, began] = [await read(), performance.now()];
  await work();
  const [after, tookMs] = [await read(), performance.now() - began];
  return {
    tookMs,
    ...Object.fromEntries(Object.keys(before).map((figure) => [figure, after[figure] - before[figure]])),
  };
}

function print(steps, costs) {
  const rows = Object.entries(steps).map(([step, figures]) => [step, ...Object.values(figures)]);
  const total = (column) => rows.reduce((sum, row) => sum + row[column], 0);
  console.log(['step', 'statements', 'round trips', 'transactions', 'bytes of parameters'].join(' | '));
  for (const row of [...rows, ['all', total(1), total(2), total(3), total(4)]]) console.log(row.join(' | '));
  for (const [figure, value] of Object.entries(costs)) console.log(`${figure}: ${value.toFixed(1)}`);
}

const steps = await countStatements();
const costs = values.json ? {} : await measureCosts();
receiver?.close();
await postgres?.stop();
await rm(folder, { recursive: true });
if (values.json) console.log(JSON.stringify(steps));
else {
  console.log(execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim());
  print(steps, costs);
}
