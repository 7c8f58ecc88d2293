// Loaded into the gateway before its own code (node --import): a line in BENCH_TAP_FILE for each statement that a connection sends. With
// BENCH_TAP_ANSWERS, also what was sent to the letter and what came back, for bench/postgres.
import { appendFileSync, readFileSync, realpathSync } from 'node:fs';
import { AsyncLocalStorage } from 'node:async_hooks';
import { findSourceMap, SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

const file = process.env.BENCH_TAP_FILE;
const withAnswers = process.env.BENCH_TAP_ANSWERS !== undefined;
const OWN = /\/src\/(.+)\.ts$/;
/** `dist` links to a folder of `.cache/builds`, and frames name files by where they really lie. */
const BUILT = /\/(dist|builds\/[^/]+)\/src\//;
/** As frames name the file that has the gateway (scripts/build/run-program.mjs), which Node knows no map of. */
const PROGRAMS = 'programs.cjs';
const FRAMES = 60;

/** The service's own functions that the statement was sent by, nearest first, along the awaits: `folder/file#function`. */
function senders() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  // Without it Node would map every frame to its source.
  Error.prepareStackTrace = (_, sites) => sites;
  const { stack } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return stack.flatMap((site) => {
    const own = OWN.exec(sourceOf(site))?.[1];
    return own === undefined ? [] : [`${own}#${site.getFunctionName() ?? ''}`];
  });
}

/** Programs are built into few files: the file that a place in one of them was written in. */
function sourceOf(site) {
  const map = mapOf(site.getFileName() ?? '');
  return map?.findEntry(site.getLineNumber() - 1, site.getColumnNumber() - 1).originalSource ?? '';
}

let programs;
function mapOf(built) {
  if (built !== PROGRAMS) return BUILT.test(built) ? findSourceMap(built) : undefined;
  const file = join(dirname(realpathSync(process.argv[1])), 'bundle', `${PROGRAMS}.map`);
  return (programs ??= new SourceMap(JSON.parse(readFileSync(file, 'utf8'))));
}

const bytesOf = (value) =>
  value === null || value === undefined ? 0 : Buffer.isBuffer(value) ? value.length : Buffer.byteLength(String(value));

const write = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

const onBehalf = new AsyncLocalStorage();
const { query: ofPool } = pg.Pool.prototype;
// A statement of its own leaves once a connection is free, when whoever sent it is no longer on the stack.
pg.Pool.prototype.query = function tapped(...given) {
  return onBehalf.run(senders(), () => ofPool.apply(this, given));
};

const outstanding = new WeakMap();
const within = new WeakMap();
const numbers = new WeakMap();
let connections = 0;
let statements = 0;

/** Which statement of which connection, and its parameters as they are sent. */
function toTheLetter(client, name, values) {
  if (!numbers.has(client)) numbers.set(client, (connections += 1));
  const role = client.connectionParameters.application_name;
  return {
    number: (statements += 1),
    at: Date.now(),
    connection: numbers.get(client),
    role,
    name,
    values: values.map((value) => prepareValue(value)),
  };
}

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function tapped(first, ...rest) {
  const text = typeof first === 'string' ? first : first?.text;
  const values = (typeof first === 'object' ? first?.values : rest[0]) ?? [];
  const before = outstanding.get(this) ?? 0;
  const line = {
    text,
    // Parsed and planned once on each connection.
    prepared: first?.name !== undefined,
    // Nothing is on its way on this connection: somebody waits for the way there and back.
    waits: before === 0,
    // Outside of begin and commit, a transaction by itself.
    alone: within.get(this) !== true,
    bytes: Array.isArray(values) ? values.reduce((sum, value) => sum + bytesOf(value), 0) : 0,
    senders: onBehalf.getStore() ?? senders(),
    ...(withAnswers && Array.isArray(values) ? toTheLetter(this, first?.name, values) : {}),
  };
  if (/^begin\b/.test(text)) within.set(this, true);
  if (/^(commit|rollback)\b/.test(text)) within.set(this, false);
  write(line);
  const keep = (came) => withAnswers && write({ answers: line.number, ...contentOf(came) });
  const answer = query.call(this, first, ...rest.map((one) => keeping(one, keep)));
  if (typeof answer?.then !== 'function') return answer;
  outstanding.set(this, before + 1);
  const answered = () => outstanding.set(this, outstanding.get(this) - 1);
  answer.then(answered, answered);
  answer.then(keep, () => undefined);
  return answer;
};

/** A callback (a pool has one) that keeps the answer before it is called; all else as it is. */
function keeping(one, keep) {
  if (typeof one !== 'function') return one;
  return (fault, came) => {
    if (came !== undefined) keep(came);
    one(fault, came);
  };
}

/** Of all statements of one text together. */
function contentOf(came) {
  const results = [came].flat();
  return {
    rows: results.flatMap(({ rows }) => rows),
    columns: results.flatMap(({ fields }) => fields.map(({ name }) => name)),
    affected: results.at(-1).rowCount ?? 0,
  };
}
