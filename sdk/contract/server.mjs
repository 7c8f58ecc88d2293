// The scripted server of the contract suite: plays the exchanges of one case in order and writes down what did not fit.
// What it is told and what it reports: README.md beside it.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { compareRequest } from './compare-request.mjs';
import { expandFixtures } from './fixtures.mjs';
import { sampleOf } from './samples.mjs';

export const API_KEY = 'sut_test_ContractSuiteKey0000000000000000AbC123';
export const SIGNATURE = 'c2lnbmVkLXNlY3JldC1vZi10aGUtY29udHJhY3Q';

const state = { exchanges: [], next: 0, requests: [], mismatches: [] };
const urls = { main: '', other: '' };

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Puts the real addresses, secrets and digests where a case has placeholders. */
function fill(text) {
  const digested = text.replace(/\{sha256:([a-z-]+)\}/g, (_, name) => sha256(sampleOf(name)));
  return digested.replaceAll('{baseUrl}', urls.main).replaceAll('{otherUrl}', urls.other).replaceAll('{apiKey}', API_KEY).replaceAll('{signature}', SIGNATURE);
}

async function readAll(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The body as far as it came: a client may go away in the middle. */
async function readBody(request) {
  try {
    return { bytes: await readAll(request), whole: true };
  } catch {
    return { bytes: Buffer.alloc(0), whole: false };
  }
}

function answerControl(response, status, body, type = 'application/json') {
  response.writeHead(status, { 'content-type': type }).end(body);
}

async function control(request, response, path) {
  const body = (await readAll(request)).toString('utf8');
  if (path === '/__case') {
    const { exchanges } = JSON.parse(fill(JSON.stringify(expandFixtures(JSON.parse(body)))));
    Object.assign(state, { exchanges, next: 0, requests: [], mismatches: [] });
    return answerControl(response, 200, '{}');
  }
  if (path === '/__report') {
    const missing = state.exchanges.length - state.next;
    const mismatches = [...state.mismatches, ...(missing > 0 ? [`${missing} expected request(s) never came`] : [])];
    return answerControl(response, 200, JSON.stringify({ requests: state.requests, mismatches }));
  }
  const sample = path.startsWith('/__samples/') ? sampleOf(path.slice('/__samples/'.length)) : null;
  return sample === null ? answerControl(response, 404, '{}') : answerControl(response, 200, sample, 'application/octet-stream');
}

function describe(request, origin, bytes) {
  const url = new URL(request.url, 'http://contract');
  return {
    origin,
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    bodyBytes: bytes.length,
    bodySha256: sha256(bytes),
    bodyText: bytes.length > 100_000 ? '' : bytes.toString('utf8'),
  };
}

/** The bytes of an answer, and its type where the case does not name one. */
function bodyOf(answer) {
  if (answer.json !== undefined) return { bytes: Buffer.from(JSON.stringify(answer.json)), type: answer.status >= 400 ? 'application/problem+json' : 'application/json' };
  if (answer.sample !== undefined) return { bytes: sampleOf(answer.sample), type: 'application/octet-stream' };
  if (answer.text !== undefined) return { bytes: Buffer.from(answer.text), type: 'text/html' };
  return { bytes: Buffer.alloc(0), type: null };
}

function send(response, answer) {
  const { bytes, type } = bodyOf(answer);
  // Node's own Date would contradict the clock of the runners.
  response.sendDate = false;
  const bodiless = answer.status === 204 || answer.status === 304;
  response.writeHead(answer.status, { ...(type === null ? {} : { 'content-type': type }), ...(bodiless ? {} : { 'content-length': bytes.length }), ...answer.headers });
  if (answer.fault !== 'close-mid-answer') return response.end(bytes);
  return response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.socket?.destroy());
}

function record(expect, seen) {
  const at = state.requests.push(seen) - 1;
  if (expect === undefined) state.mismatches.push(`request ${at}: ${seen.method} ${seen.path} was not expected`);
  else state.mismatches.push(...compareRequest(expect, seen, state.requests).map((fault) => `request ${at}: ${fault}`));
}

async function play(request, response, origin) {
  const exchange = state.exchanges[state.next];
  state.next += 1;
  const { expect, answer = {} } = exchange ?? {};
  if (answer.fault === 'close-mid-upload') {
    request.once('data', () => {
      record(expect, { ...describe(request, origin, Buffer.alloc(0)), bodyCut: true });
      request.socket.destroy();
    });
    return;
  }
  if (answer.early) {
    // As a server does that refuses before the body has come: it answers, and goes on reading without keeping anything.
    record(expect, { ...describe(request, origin, Buffer.alloc(0)), bodyCut: true });
    request.on('error', () => undefined).resume();
    return send(response, answer);
  }
  const { bytes, whole } = await readBody(request);
  record(expect, { ...describe(request, origin, bytes), bodyCut: !whole });
  if (exchange === undefined) return send(response, { status: 599, json: { detail: 'not expected' } });
  if (answer.fault === 'close-before-answer') return void request.socket.destroy();
  if (answer.delayMs === undefined) return send(response, answer);
  const timer = setTimeout(() => send(response, answer), answer.delayMs);
  response.once('close', () => clearTimeout(timer));
}

/** Lets pages of every origin in, as the service does with those that an organization named; true where the request was a preflight. */
function letIn({ method, headers }, response) {
  if (headers.origin === undefined) return false;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('access-control-expose-headers', 'content-type, etag, location, retry-after, x-request-id, ratelimit, ratelimit-policy');
  // On a connection that was used before, a browser repeats by itself.
  response.setHeader('connection', 'close');
  if (method !== 'OPTIONS') return false;
  response.writeHead(204, { 'access-control-allow-methods': '*', 'access-control-allow-headers': headers['access-control-request-headers'] ?? '' }).end();
  return true;
}

function listen(origin) {
  const server = createServer((request, response) => {
    if (letIn(request, response)) return;
    const path = request.url.split('?')[0];
    const task = path.startsWith('/__') ? control(request, response, path) : play(request, response, origin);
    task.catch((fault) => {
      state.mismatches.push(`the scripted server failed: ${fault.message}`);
      request.socket.destroy();
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`)));
}

urls.main = await listen('main');
urls.other = await listen('other');
process.stdout.write(`${JSON.stringify({ url: urls.main, otherUrl: urls.other, apiKey: API_KEY, signature: SIGNATURE })}\n`);
// The parent holds the other end: when it goes, so does the server.
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
