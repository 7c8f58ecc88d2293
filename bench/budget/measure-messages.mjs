// npm run budget:messages [-- --messages N] [--json] [--list] [--database URL] [--most LIMITS]: what a message of each kind costs the database and the
// processor, from its receipt to its acknowledgment in original mode, one at a time; and an update that changes nothing beside nine others.
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startGateway } from '../lib/gateway.mjs';
import { openListener } from '../lib/hl7-listener.mjs';
import { loadMllp, sendOneByOne } from '../lib/load-mllp.mjs';
import { updateMessages } from '../lib/adt-messages.mjs';
import { startPostgres } from '../lib/postgres-server.mjs';
import { createTenants } from '../lib/tenants.mjs';
import { MESSAGE_KINDS, messagesOf } from './message-kinds.mjs';
import { processorMs } from './costs.mjs';

const TAP = resolve(import.meta.dirname, 'statement-tap.mjs');
/** What sends statements on behalf of a message. Everything else is a round of the service's own. */
const OWN = /^doors\/(hl7v2\/(inbox\/(receiving|processing|store)|mapping)|fhir\/(records|bundle|interactions))\//;
/** What several messages share is sent by the database's own code alone. */
const SHARED = /^platform\/database\//;
const WRITES = /\b(insert into|update|delete from)\b/;
const BESIDE = 'ADT^A08 that changes nothing, ten at once';
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    // a fresh one of a server that runs; default: on a server of its own. With --json alone, which opens one gateway
    database: { type: 'string' },
    // { kind: { statements, commits } }: a kind that costs more is counted anew, so often at most; the least of each counts
    most: { type: 'string', default: '{}' },
  },
});
const messages = Number(values.messages);
const most = JSON.parse(values.most);
/** A busy machine takes in two turns what it else takes in one, which costs more and never less. */
const ROUNDS = 8;
const BESIDE_PATIENTS = 50;
const BESIDE_S = 0.3;
/** The kernel counts in hundredths of a second. */
const MORE = 20;

const folder = await mkdtemp(join(tmpdir(), 'sutura-messages-'));
const tapFile = join(folder, 'statements.jsonl');
const postgres = values.database === undefined ? await startPostgres() : null;

async function openDoor(env) {
  const databaseUrl = values.database ?? (await postgres.createDatabase());
  const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api,hl7', ...env } });
  const [tenant] = await createTenants(gateway, 1);
  const port = await openListener(gateway, tenant);
  const known = messagesOf('ADT^A08 that changes nothing');
  await send(port, known, 3);
  return { gateway, databaseUrl, port, known };
}

function send(port, messageOf, count) {
  return sendOneByOne({ port, count, messageOf, expected: 'AA' });
}

function priceOf(lines, count) {
  const own = lines.filter(
    ({ senders }) => senders.some((one) => OWN.test(one)) || senders.every((one) => SHARED.test(one)),
  );
  const commits = own.filter(({ text, alone }) => text === 'commit' || (alone && WRITES.test(text)));
  return {
    statements: own.length / count,
    roundTrips: own.filter(({ waits }) => waits).length / count,
    commits: commits.length / count,
  };
}

function isDearer(price, { statements, commits } = { statements: Infinity, commits: Infinity }) {
  return price.statements > statements || price.commits > commits;
}

function lesser(price, other) {
  return Object.fromEntries(Object.entries(price).map(([figure, value]) => [figure, Math.min(value, other[figure])]));
}

/** Of the messages of one round. */
async function countRound(kind, work) {
  await truncate(tapFile);
  const count = await work();
  const text = await readFile(tapFile, 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (values.list)
    for (const { text: sql, senders } of lines)
      process.stdout.write(`${kind}\t${sql.slice(0, 120).replaceAll(/\s+/g, ' ')}\t${senders[0]}\n`);
  return priceOf(lines, count);
}

async function countStatements() {
  await writeFile(tapFile, '');
  const door = await openDoor({ NODE_OPTIONS: `--import ${TAP}`, BENCH_TAP_FILE: tapFile });
  const counted = {};
  const during = async (kind, work) => {
    let price = await countRound(kind, work);
    for (let round = 1; round < ROUNDS && isDearer(price, most[kind]); round += 1)
      price = lesser(price, await countRound(kind, work));
    counted[kind] = price;
  };
  for (const kind of MESSAGE_KINDS) {
    const messageOf = kind === MESSAGE_KINDS[0] ? door.known : messagesOf(kind);
    // The first that names an authority or a wound makes it known, once.
    await send(door.port, messageOf, 1);
    await during(kind, async () => {
      await send(door.port, messageOf, messages);
      return messages;
    });
  }
  const updates = updateMessages({ enhanced: false, patients: BESIDE_PATIENTS });
  // The first round makes the patients.
  await send(door.port, updates, BESIDE_PATIENTS);
  await during(
    BESIDE,
    async () =>
      (await loadMllp({ port: door.port, connections: 10, secs: BESIDE_S, messageOf: updates, expected: 'AA' }))
        .acknowledged,
  );
  await door.gateway.stop();
  return counted;
}

/** Milliseconds of a core for each message, without the tap. */
async function measureProcessor(counted) {
  const door = await openDoor({});
  for (const kind of MESSAGE_KINDS) {
    const messageOf = kind === MESSAGE_KINDS[0] ? door.known : messagesOf(kind);
    await send(door.port, messageOf, messages);
    const before = processorMs(door.gateway.child.pid, door.databaseUrl);
    await send(door.port, messageOf, messages * MORE);
    const after = processorMs(door.gateway.child.pid, door.databaseUrl);
    for (const who of ['gatewayMs', 'postgresMs']) counted[kind][who] = (after[who] - before[who]) / messages / MORE;
  }
  await door.gateway.stop();
}

try {
  const counted = await countStatements();
  if (!values.json) await measureProcessor(counted);
  process.stdout.write(values.json ? JSON.stringify(counted) : `${table(counted)}\n`);
} finally {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

function table(counted) {
  const round = (value) => (value === undefined ? '–' : value.toFixed(1));
  return [
    '| Message | Statements | Round trips | Commits | Gateway, ms | PostgreSQL, ms |',
    '|---|---|---|---|---|---|',
    ...Object.entries(counted).map(
      ([kind, { statements, roundTrips, commits, gatewayMs, postgresMs }]) =>
        `| ${kind} | ${[statements, roundTrips, commits, gatewayMs, postgresMs].map(round).join(' | ')} |`,
    ),
  ].join('\n');
}
