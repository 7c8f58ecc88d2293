// Loaded into the gateway before its own code (node --import): a line in BENCH_TAP_FILE for each statement that a connection sends.
import { appendFileSync } from 'node:fs';
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

const file = process.env.BENCH_TAP_FILE;
const OWN = /\/dist\/src\/(.+)\.js$/;
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
    const own = OWN.exec(site.getFileName() ?? '')?.[1];
    return own === undefined ? [] : [`${own}#${site.getFunctionName() ?? ''}`];
  });
}

const bytesOf = (value) =>
  value === null || value === undefined ? 0 : Buffer.isBuffer(value) ? value.length : Buffer.byteLength(String(value));

const onBehalf = new AsyncLocalStorage();
const { query: ofPool } = pg.Pool.prototype;
// A statement of its own leaves once a connection is free, when whoever sent it is no longer on the stack.
pg.Pool.prototype.query = function tapped(...given) {
  return onBehalf.run(senders(), () => ofPool.apply(this, given));
};

const outstanding = new WeakMap();
const within = new WeakMap();
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
  };
  if (/^begin\b/.test(text)) within.set(this, true);
  if (/^(commit|rollback)\b/.test(text)) within.set(this, false);
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  const answer = query.call(this, first, ...rest);
  if (typeof answer?.then !== 'function') return answer;
  outstanding.set(this, before + 1);
  const answered = () => outstanding.set(this, outstanding.get(this) - 1);
  answer.then(answered, answered);
  return answer;
};
