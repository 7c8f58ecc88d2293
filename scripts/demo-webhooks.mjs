// Events of one photo at an address of this machine, with their verified signatures: npm run demo:webhooks
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { SuturaClient, verifyWebhook } from '../sdk/javascript/dist/index.mjs';
import { ACCESS_USAGE, DemoFailure, findBaseUrl, findKey, runDemo } from './demo-gateway.mjs';
import { drawPhoto } from './demo-series/draw-photo.mjs';
import { WOUND_COURSE } from './demo-series/wound-course.mjs';

const USAGE = `Usage: npm run demo:webhooks -- [--key KEY] [--url http://127.0.0.1:3000]

Starts a receiver on this machine, has it told of events (POST /api/v1/webhooks), sends a drawn photo, and prints each event with its
verified signature. The webhook is deleted after the run.
The gateway must be allowed to reach this machine: start it with SUTURA_DELIVERY_NETWORKS=127.0.0.0/8.
${ACCESS_USAGE}`;
const PATIENCE_MS = 180_000;
const AWAITED = ['analysis.completed', 'wound.opened', 'report.ready'];

function readCommandLine() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { key: text, url: text, help: { type: 'boolean', short: 'h' } } });
  return values.help ? null : { key: values.key, baseUrl: findBaseUrl(values.url) };
}

/** A receiver on a free port. `onEvent` gets the body and the headers of each request; what it throws is answered with 400. */
async function startReceiver(onEvent) {
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => onEvent(body, request.headers))
      .then(
        () => response.writeHead(204).end(),
        (fault) => {
          process.stdout.write(`  refused: ${fault.message}\n`);
          response.writeHead(400).end();
        },
      );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${server.address().port}/events`, close: () => server.close() };
}

/** A request of the native API that the client library has no name for. */
async function ask({ key, baseUrl }, method, path, json) {
  const answer = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const body = answer.status === 204 ? null : await answer.json();
  if (answer.ok) return body;
  const hint =
    body.code === 'webhook.url_refused' ? ' Start the gateway with SUTURA_DELIVERY_NETWORKS=127.0.0.0/8.' : '';
  throw new DemoFailure(`${body.title} (${body.code}). ${body.detail}${hint}`);
}

/** Events as they come, each verified; `all` resolves once every awaited type was there. */
class EventDesk {
  #seen = new Set();
  #done;
  all = new Promise((resolve) => (this.#done = resolve));
  secret = '';

  async take(body, headers) {
    const { type, data } = await verifyWebhook(body, headers, this.secret);
    const { sequence, areaCm2, woundDetected, status } = data;
    const facts = Object.entries({ sequence, status, woundDetected, areaCm2: areaCm2?.value }).filter(
      ([, value]) => value !== undefined,
    );
    process.stdout.write(
      `  ${type.padEnd(20)} verified ${headers['webhook-signature'].split(',')[0]}, id ${headers['webhook-id']}, ${facts.map(([name, value]) => `${name} ${value}`).join(', ')}\n`,
    );
    this.#seen.add(type);
    if (AWAITED.every((awaited) => this.#seen.has(awaited))) this.#done();
  }
}

async function sendPhoto({ key, baseUrl }) {
  const { jpeg } = await drawPhoto(WOUND_COURSE[0]);
  const client = new SuturaClient({ apiKey: key, baseUrl });
  const subject = { patientId: `DEMO-${Date.now()}`, woundId: 'heel-left' };
  await client.analyzeImageAndWait({ file: jpeg, subject, timeoutMs: PATIENCE_MS });
}

/** A way to be told of events: answers the secret of its signatures, and how to end it. */
async function byWebhook(access, url) {
  const { id, secret } = await ask(access, 'POST', '/webhooks', { url });
  process.stdout.write(`Webhook ${id} tells ${url}\n`);
  return { secret, end: () => ask(access, 'DELETE', `/webhooks/${id}`) };
}
const WAYS = [byWebhook];

/** Opens a receiver for a way, does the work, and takes both back. */
async function toldBy(way, access, work) {
  const desk = new EventDesk();
  const receiver = await startReceiver((body, headers) => desk.take(body, headers));
  try {
    const { secret, end } = await way(access, receiver.url);
    desk.secret = secret;
    try {
      await work();
      await inTime(desk.all);
    } finally {
      await end();
    }
  } finally {
    receiver.close();
  }
}

async function main() {
  const wish = readCommandLine();
  if (wish === null) {
    process.stdout.write(USAGE);
    return 0;
  }
  const access = { key: await findKey(wish.key), baseUrl: wish.baseUrl };
  // One photo, told in every way.
  const told = WAYS.reduce(
    (work, way) => () => toldBy(way, access, work),
    () => sendPhoto(access),
  );
  await told();
  return 0;
}

async function inTime(events) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(
      () => fail(new DemoFailure('Not every event came. See the deliveries of the webhook.')),
      PATIENCE_MS,
    );
  });
  await Promise.race([events, late]).finally(() => clearTimeout(timer));
}

await runDemo(main, USAGE);
