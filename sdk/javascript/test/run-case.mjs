// One case of the shared contract suite against the built package (sdk/contract/README.md says what each field means).
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { SuturaClient } from '../dist/index.mjs';
import { SuturaSetup } from '../dist/setup.mjs';
import {
  collect,
  compareOutcome,
  compareProgress,
  compareSecrets,
  compareWaits,
  fakeTime,
  filled,
  lacks,
  pieces,
  showBy,
  TIME,
  toWords,
} from './judging.mjs';

export { fakeTime, lacks, TIME } from './judging.mjs';

showBy(inspect);

export async function control(server, path, body) {
  const response = await fetch(
    `${server.url}${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  return path.startsWith('/__samples/') ? Buffer.from(await response.arrayBuffer()) : response.json();
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

async function compareSample(server, name, value) {
  const wanted = await control(server, `/__samples/${name}`);
  return value instanceof Uint8Array && wanted.equals(value)
    ? []
    : [`it returned ${inspect(value)}, not the bytes of the sample ${name}`];
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

/** The sentences that say what is wrong; none where the case holds. */
export async function runCase(server, given) {
  const { exchanges } = given;
  const one = filled(server, given);
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
    ...(one.outcome.returnsSample !== undefined && outcome.error === undefined
      ? await compareSample(server, one.outcome.returnsSample, outcome.value)
      : compareOutcome(one.outcome, outcome)),
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
