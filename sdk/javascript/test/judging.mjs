// How an outcome is judged, in Node.js and in a page alike (sdk/contract/README.md says what each field means).

let inspect = (value) => JSON.stringify(value) ?? String(value);

/** How a value is shown; in Node.js its own way. */
export function showBy(show) {
  inspect = show;
}

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

/** A stream that tells nothing of itself and is read once. */
export async function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}

/** Operations that take more than one object. */
const POSITIONS = { reviewReport: ['report', 'review'], request: ['method', 'path'] };

export function toWords(operation, options) {
  const names = POSITIONS[operation] ?? [];
  // A ticket is spread among the options.
  const { ticket, ...given } = options;
  const rest = Object.fromEntries(Object.entries({ ...ticket, ...given }).filter(([name]) => !names.includes(name)));
  return [...names.map((name) => options[name]), rest];
}

export async function collect(returned) {
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

export function compareOutcome({ returns, throws }, { value, error }) {
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

export function compareWaits(wanted, pauses) {
  if (wanted === undefined) return [];
  if (wanted.length !== pauses.length)
    return [`it paused ${pauses.length} times (${pauses.join(', ')}), not ${wanted.length}`];
  return wanted.flatMap(({ atLeastMs, atMostMs }, index) =>
    pauses[index] >= atLeastMs && pauses[index] <= atMostMs
      ? []
      : [`pause ${index} is ${pauses[index]} ms, not ${atLeastMs} to ${atMostMs}`],
  );
}

export function compareProgress(wanted = {}, told) {
  const last = told.filter(({ phase }) => phase === 'upload').at(-1);
  const states = told.filter(({ phase }) => phase === 'wait').map(({ job }) => job.status);
  return [
    ...(wanted.lastUpload === undefined ? [] : lacks(last, wanted.lastUpload, 'progress of the upload')),
    ...(wanted.jobStatuses === undefined ? [] : lacks(states, wanted.jobStatuses, 'states told')),
  ];
}

export function compareSecrets(server, texts) {
  const all = texts.join('\n');
  return [
    ...(all.includes(server.apiKey) ? ['the key is shown'] : []),
    ...(all.includes(server.signature) ? ['a signature is shown'] : []),
  ];
}

/** The case with the addresses and secrets of this server; its exchanges are filled by the server. */
export function filled(server, given) {
  const fill = (text) =>
    text
      .replaceAll('{baseUrl}', server.url)
      .replaceAll('{otherUrl}', server.otherUrl)
      .replaceAll('{apiKey}', server.apiKey)
      .replaceAll('{signature}', server.signature);
  return JSON.parse(fill(JSON.stringify({ ...given, exchanges: [] })));
}
