// One case of the shared contract suite against the built package (sdk/contract/README.md says what each field means).
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { SuturaClient } from '../dist/index.mjs';
import { SuturaSetup } from '../dist/setup.mjs';

const START_MS = Date.parse('2026-01-05T08:00:00Z');
export const TIME = Symbol.for('sutura.sdk.time');

/** The clock that all runners share: real time goes on, pauses are written down and take none. */
export function fakeTime() {
  const pauses = [];
  let skippedMs = 0;
  const started = performance.now();
  const sleep = async (ms, signal) => {
    if (signal?.aborted) throw signal.reason;
    pauses.push(ms);
    skippedMs += ms;
  };
  return {
    pauses,
    time: { now: () => START_MS + performance.now() - started + skippedMs, random: Math.random, sleep },
  };
}

export async function control(server, path, body) {
  const response = await fetch(
    `${server.url}${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  return path.startsWith('/__samples/') ? Buffer.from(await response.arrayBuffer()) : response.json();
}

/** A stream that tells nothing of itself and is read once. */
async function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}

async function toFile({ sample, as }, server, folder) {
  const bytes = await control(server, `/__samples/${sample}`);
  if (as === 'bytes') return bytes;
  if (as === 'unsized-stream') return pieces(bytes);
  if (as === 'stream') return Readable.from(pieces(bytes));
  const path = join(folder, '..', `${sample}.photo`);
  await writeFile(path, bytes);
  return path;
}

async function toArguments(given, server, folder) {
  const options = { ...given };
  if (options.file !== undefined) options.file = await toFile(options.file, server, folder);
  if (options.path?.temporary !== undefined) options.path = join(folder, options.path.temporary);
  return options;
}

/** Operations that take more than one object. */
const POSITIONS = { reviewReport: ['report', 'review'], request: ['method', 'path'] };

function toWords(operation, options) {
  const names = POSITIONS[operation] ?? [];
  // A ticket is spread among the options.
  const { ticket, ...given } = options;
  const rest = Object.fromEntries(Object.entries({ ...ticket, ...given }).filter(([name]) => !names.includes(name)));
  return [...names.map((name) => options[name]), rest];
}

async function collect(returned) {
  if (returned?.[Symbol.asyncIterator] === undefined) return returned;
  const all = [];
  for await (const one of returned) all.push(one);
  return all;
}

/** What keeps `actual` from having at least what `wanted` has. */
export function lacks(actual, wanted, at = 'value') {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length)
      return [`${at} is ${inspect(actual)}, not a list of ${wanted.length}`];
    return wanted.flatMap((one, index) => lacks(actual[index], one, `${at}[${index}]`));
  }
  if (wanted !== null && typeof wanted === 'object') {
    if (actual === null || typeof actual !== 'object') return [`${at} is ${inspect(actual)}`];
    return Object.entries(wanted).flatMap(([name, one]) => lacks(actual[name], one, `${at}.${name}`));
  }
  return Object.is(actual ?? null, wanted) ? [] : [`${at} is ${inspect(actual)}, not ${inspect(wanted)}`];
}

async function compareSample(server, name, value) {
  const wanted = await control(server, `/__samples/${name}`);
  return value instanceof Uint8Array && wanted.equals(value)
    ? []
    : [`it returned ${inspect(value)}, not the bytes of the sample ${name}`];
}

async function compareOutcome(server, { returns, returnsSample, throws }, { value, error }) {
  if (returnsSample !== undefined && error === undefined) return compareSample(server, returnsSample, value);
  if (throws === undefined)
    return error === undefined ? lacks(value, returns, 'returned') : [`it threw ${inspect(error)}`];
  if (error === undefined) return [`it returned ${inspect(value)}`];
  const { type, messageContains = '', messageLacks, ...facts } = throws;
  return [
    ...(error.name === type && error.constructor.name === type
      ? []
      : [`it threw ${error.name}: ${error.message}, not ${type}`]),
    ...(error.message.includes(messageContains) ? [] : [`the message is "${error.message}"`]),
    ...(messageLacks !== undefined && error.message.includes(messageLacks)
      ? [`the message has "${messageLacks}"`]
      : []),
    ...lacks(error, facts, 'error'),
  ];
}

function compareWaits(wanted, pauses) {
  if (wanted === undefined) return [];
  if (wanted.length !== pauses.length)
    return [`it paused ${pauses.length} times (${pauses.join(', ')}), not ${wanted.length}`];
  return wanted.flatMap(({ atLeastMs, atMostMs }, index) =>
    pauses[index] >= atLeastMs && pauses[index] <= atMostMs
      ? []
      : [`pause ${index} is ${pauses[index]} ms, not ${atLeastMs} to ${atMostMs}`],
  );
}

function compareProgress(wanted = {}, told) {
  const last = told.filter(({ phase }) => phase === 'upload').at(-1);
  const states = told.filter(({ phase }) => phase === 'wait').map(({ job }) => job.status);
  return [
    ...(wanted.lastUpload === undefined ? [] : lacks(last, wanted.lastUpload, 'progress of the upload')),
    ...(wanted.jobStatuses === undefined ? [] : lacks(states, wanted.jobStatuses, 'states told')),
  ];
}

async function compareFiles(wanted, server, folder) {
  if (wanted === undefined) return [];
  const names = await readdir(folder);
  const faults = lacks(names.sort(), Object.keys(wanted).sort(), 'files');
  for (const [name, sample] of Object.entries(wanted)) {
    const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
    if (
      names.includes(name) &&
      digest(await readFile(join(folder, name))) !== digest(await control(server, `/__samples/${sample}`))
    )
      faults.push(`${name} is not the sample ${sample}`);
  }
  return faults;
}

/** Everything of a failure that could be printed. */
export function printable(value) {
  const chain = [];
  for (let one = value; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one);
  return [
    inspect(value, { depth: 10, showHidden: true }),
    String(value),
    JSON.stringify(value) ?? '',
    ...chain.flatMap((one) => [one.message, one.stack ?? '', JSON.stringify(one)]),
  ].join('\n');
}

function compareSecrets(server, texts) {
  const all = texts.join('\n');
  return [
    ...(all.includes(server.apiKey) ? ['the key is shown'] : []),
    ...(all.includes(server.signature) ? ['a signature is shown'] : []),
  ];
}

/** The sentences that say what is wrong; none where the case holds. */
export async function runCase(server, given) {
  const fill = (text) =>
    text
      .replaceAll('{baseUrl}', server.url)
      .replaceAll('{otherUrl}', server.otherUrl)
      .replaceAll('{apiKey}', server.apiKey)
      .replaceAll('{signature}', server.signature);
  const { exchanges } = given;
  const one = JSON.parse(fill(JSON.stringify({ ...given, exchanges: [] })));
  await control(server, '/__case', { exchanges });
  const folder = await mkdtemp(join(tmpdir(), 'sutura-contract-'));
  const box = join(folder, 'box');
  await mkdir(box);
  try {
    return await judge(server, one, box);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function judge(server, one, box) {
  const { pauses, time } = fakeTime();
  const lines = [];
  const told = [];
  const logger = { debug: (...line) => lines.push(inspect(line, { depth: 5 })) };
  const client = new SuturaClient({ apiKey: server.apiKey, baseUrl: server.url, logger, ...one.client, [TIME]: time });
  const options = await toArguments(one.call.arguments, server, box);
  if (one.progress !== undefined) options.onProgress = (progress) => told.push(progress);
  const { operation } = one.call;
  const target = operation in client ? client : new SuturaSetup(client);
  const outcome = await Promise.resolve()
    .then(() => collect(target[operation](...toWords(operation, options))))
    .then(
      (value) => ({ value }),
      (error) => ({ error }),
    );
  const { mismatches } = await control(server, '/__report');
  return [
    ...mismatches,
    ...(await compareOutcome(server, one.outcome, outcome)),
    ...compareWaits(one.waits, pauses),
    ...compareProgress(one.progress, told),
    ...(await compareFiles(one.files, server, box)),
    ...compareSecrets(server, [
      ...lines,
      printable(client),
      outcome.error === undefined ? '' : printable(outcome.error),
    ]),
  ];
}
