// Runs cases of the shared contract suite in a page, against the build for browsers (page.html loads it).
import { SuturaClient } from '/dist/browser.mjs';
import { SuturaSetup } from '/dist/setup-browser.mjs';
import {
  collect,
  compareOutcome,
  compareProgress,
  compareSecrets,
  compareWaits,
  fakeTime,
  filled,
  pieces,
  TIME,
  toWords,
} from '/test/judging.mjs';

async function control(server, path, body) {
  const response = await fetch(
    `${server.url}${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  return path.startsWith('/__samples/') ? new Uint8Array(await response.arrayBuffer()) : response.json();
}

/** What a path is elsewhere is a File here, as a person chose it. */
async function toFile({ sample, as }, server) {
  const bytes = await control(server, `/__samples/${sample}`);
  if (as === 'bytes') return bytes;
  if (as === 'unsized-stream') return pieces(bytes);
  return as === 'stream' ? new Blob([bytes]).stream() : new File([bytes], `${sample}.photo`);
}

/** Everything of a value that a page could show. */
function printable(value) {
  const own =
    value instanceof Object ? Reflect.ownKeys(value).map((name) => `${String(name)}: ${text(value[name])}`) : [];
  return [String(value), text(value), value?.stack ?? '', ...own].join('\n');
}

function text(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const isSame = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

async function compareSample(server, name, value) {
  return value instanceof Uint8Array && isSame(value, await control(server, `/__samples/${name}`))
    ? []
    : [`it did not return the bytes of the sample ${name}`];
}

/** The sentences that say what is wrong; none where the case holds. */
export async function runCase(server, given) {
  const one = filled(server, given);
  await control(server, '/__case', { exchanges: given.exchanges });
  const { pauses, time } = fakeTime();
  const lines = [];
  const told = [];
  const logger = { debug: (...line) => lines.push(text(line)) };
  const client = new SuturaClient({ apiKey: server.apiKey, baseUrl: server.url, logger, ...one.client, [TIME]: time });
  const options = { ...one.call.arguments };
  if (options.file !== undefined) options.file = await toFile(options.file, server);
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
    ...compareSecrets(server, [
      ...lines,
      printable(client),
      outcome.error === undefined ? '' : printable(outcome.error),
    ]),
  ];
}

export async function runCases(server, cases) {
  const verdicts = [];
  for (const one of cases) {
    const faults = await runCase(server, one).catch((fault) => [String(fault?.stack ?? fault)]);
    verdicts.push({ name: `${one.file}: ${one.name}`, faults });
  }
  return verdicts;
}
