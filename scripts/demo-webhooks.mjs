// Events of one photo at an address of this machine, with their verified signatures: npm run demo:webhooks
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { SuturaClient, verifyWebhook } from '../sdk/javascript/dist/index.mjs';
import { ACCESS_USAGE, DemoFailure, fetchPrepared, findBaseUrl, findKey, runDemo } from './demo-gateway.mjs';
import { drawPhoto, ownGrain } from './demo-series/draw-photo.mjs';
import { WOUND_COURSE } from './demo-series/wound-course.mjs';

const USAGE = `Usage: npm run demo:webhooks -- [--key KEY] [--url http://127.0.0.1:3000]

Starts two receivers on this machine, has one told by a webhook (POST /api/v1/webhooks) and one by a FHIR Subscription, sends a drawn photo,
and prints everything that they are told with its verified signature. Webhook and Subscription are deleted after the run.
The gateway must be allowed to reach this machine: start it with SUTURA_DELIVERY_NETWORKS=127.0.0.0/8.
${ACCESS_USAGE}`;
const PATIENCE_MS = 180_000;

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

/** A request that the client library has no name for. */
async function ask({ key, baseUrl }, method, path, json) {
  const answer = await fetchPrepared(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json === undefined
        ? {}
        : { 'content-type': path.startsWith('/fhir') ? 'application/fhir+json' : 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const body = answer.status === 204 ? null : await answer.json();
  if (answer.ok) return body;
  const [issue] = body.issue ?? [];
  const isRefused = body.code === 'webhook.url_refused' || issue?.expression?.[0] === 'Subscription.channel.endpoint';
  const hint = isRefused ? ' Start the gateway with SUTURA_DELIVERY_NETWORKS=127.0.0.0/8.' : '';
  throw new DemoFailure(
    `${issue === undefined ? `${body.title} (${body.code}). ${body.detail}` : issue.details.text}${hint}`,
  );
}

/** Messages as they come, each verified; `all` resolves once every awaited kind was there. */
class MessageDesk {
  #seen = new Set();
  #way;
  #done;
  #open;
  /** Known only once the way's answer was read: the first message may be faster. */
  #secret = new Promise((resolve) => (this.#open = resolve));
  all = new Promise((resolve) => (this.#done = resolve));

  constructor(way) {
    this.#way = way;
  }

  begin(secret) {
    this.#open(secret);
  }

  async take(body, headers) {
    const { awaited, describe } = this.#way;
    const { kind, facts } = describe(await verifyWebhook(body, headers, await this.#secret));
    const stated = Object.entries(facts).filter(([, value]) => value !== undefined);
    process.stdout.write(
      `  ${kind.padEnd(20)} verified ${headers['webhook-signature'].split(',')[0]}, id ${headers['webhook-id']}, ${stated.map(([name, value]) => `${name} ${value}`).join(', ')}\n`,
    );
    this.#seen.add(kind);
    if (awaited.every((one) => this.#seen.has(one))) this.#done();
  }
}

async function sendPhoto({ key, baseUrl }) {
  const { jpeg } = await drawPhoto(WOUND_COURSE[0], { grain: ownGrain() });
  const client = new SuturaClient({ apiKey: key, baseUrl });
  const subject = { patientId: `DEMO-${Date.now()}`, woundId: 'heel-left' };
  await client.analyzeImageAndWait({ file: jpeg, subject, timeoutMs: PATIENCE_MS });
}

/** Ways to be told of events: `subscribe` answers the secret of the signatures, and how to end it. */
const BY_WEBHOOK = {
  awaited: ['analysis.completed', 'wound.opened', 'report.ready'],
  async subscribe(access, url) {
    const { id, secret } = await ask(access, 'POST', '/api/v1/webhooks', { url });
    process.stdout.write(`Webhook ${id} tells ${url}\n`);
    return { secret, end: () => ask(access, 'DELETE', `/api/v1/webhooks/${id}`) };
  },
  describe({ type, data }) {
    const { sequence, status, woundDetected, areaCm2 } = data;
    return { kind: type, facts: { sequence, status, woundDetected, areaCm2: areaCm2?.value } };
  },
};

const SIGNING_SECRET = 'https://sutura.dev/fhir/StructureDefinition/subscription-signing-secret';
const BY_SUBSCRIPTION = {
  awaited: ['handshake', 'event-notification'],
  async subscribe(access, endpoint) {
    const { id, extension } = await ask(access, 'POST', '/fhir/Subscription', {
      resourceType: 'Subscription',
      status: 'requested',
      reason: 'Demonstration',
      criteria: 'https://sutura.dev/fhir/SubscriptionTopic/wound-assessment-report',
      channel: { type: 'rest-hook', endpoint, payload: 'application/fhir+json' },
    });
    process.stdout.write(`FHIR Subscription ${id} tells ${endpoint}\n`);
    const { valueString: secret } = extension.find(({ url }) => url === SIGNING_SECRET);
    return { secret, end: () => ask(access, 'DELETE', `/fhir/Subscription/${id}`) };
  },
  describe({ entry: [status, focus] }) {
    const said = Object.fromEntries(
      status.resource.parameter.map(({ name, valueCode, valueString }) => [name, valueCode ?? valueString]),
    );
    const event = said['events-since-subscription-start'];
    return { kind: said.type, facts: { event, status: said.status, changed: focus?.fullUrl } };
  },
};
const WAYS = [BY_WEBHOOK, BY_SUBSCRIPTION];

/** Opens a receiver for a way, does the work, and takes both back. */
async function toldBy(way, access, work) {
  const desk = new MessageDesk(way);
  const receiver = await startReceiver((body, headers) => desk.take(body, headers));
  try {
    const { secret, end } = await way.subscribe(access, receiver.url);
    desk.begin(secret);
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
      () =>
        fail(
          new DemoFailure('Not every event came. See what is said of the deliveries: npm run cli -- deliveries list'),
        ),
      PATIENCE_MS,
    );
  });
  await Promise.race([events, late]).finally(() => clearTimeout(timer));
}

await runDemo(main, USAGE);
