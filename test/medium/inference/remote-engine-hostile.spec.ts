import { setInterval as every } from 'node:timers/promises';
import { isSuturaError } from '../../../src/core/errors/sutura-error.js';
import type { EngineEvent } from '../../../src/inference/model/engine-failure.js';
import type { SegmentationManifest } from '../../../src/inference/model/model-manifest.js';
import { remoteProvider } from '../../../src/inference/model/remote-runtime.js';
import { openSegmentationSession } from '../../../src/inference/model/segmentation-session.js';
import { eventually } from '../../support/eventually.js';
import { FakeEngine, sendAnswer, type Misbehaviour } from '../../support/fake-engine.js';

const SIDE = 256;
const MODEL = 'wound-segmentation-test';
const TIMEOUT_MS = 1000;
const manifest: SegmentationManifest = {
  name: 'wound-segmentation',
  version: '1',
  task: 'wound-segmentation',
  file: 'model.onnx',
  sha256: 'a'.repeat(64),
  input: { name: 'image', width: SIDE, height: SIDE, mean: [0, 0, 0], std: [1, 1, 1], resize: 'letterbox' },
  output: { name: 'probability' },
  threshold: 0.5,
  minAreaShare: 0,
  researchOnly: true,
  licence: 'none',
};
const WHITE = new Float32Array(3 * SIDE * SIDE).fill(1);

let engine: FakeEngine;
let events: EngineEvent[];
beforeEach(async () => {
  engine = await new FakeEngine({ model: MODEL }).start();
  events = [];
});
afterEach(() => engine.stop());

function open() {
  // A server of an earlier test is still tried again; its events are not ours.
  const heard = events;
  const readWeights = () => {
    throw new Error('the weights are the server’s business');
  };
  const settings = { urls: [engine.url], timeoutMs: TIMEOUT_MS, caFile: null };
  const provider = remoteProvider(settings, (event) => void heard.push(event));
  return openSegmentationSession({ folder: MODEL, manifest, readWeights }, [provider]);
}
const reasons = () => events.flatMap((event) => (event.what === 'failed' ? [event.reason] : []));

/** The answer as bytes on the socket, with a head of our own, after which the server closes the connection. */
function wire(head: (bodyBytes: number, jsonBytes: number) => readonly string[], bodyShare = 1): Misbehaviour {
  return (_, { json, raw }, { socket }) => {
    const body = Buffer.concat([json, raw]);
    const lines = [...head(body.length, json.length), '', ''].join('\r\n');
    socket.end(Buffer.concat([Buffer.from(lines), body.subarray(0, Math.floor(body.length * bodyShare))]));
  };
}

const dripped: Misbehaviour = async (response, { json, raw }) => {
  const body = Buffer.concat([json, raw]);
  response.writeHead(200, { 'content-length': body.length, 'inference-header-content-length': json.length });
  let at = 0;
  for await (const _ of every(10)) {
    if (response.destroyed) return;
    response.write(body.subarray(at, (at += 1)));
  }
};

const MISBEHAVIOURS: readonly (readonly [string, string, Misbehaviour])[] = [
  ['drips its answer byte by byte, beyond the time limit', 'timeout', dripped],
  [
    'states a longer Content-Length than it sends',
    'unreachable',
    wire((bytes, json) => [
      'HTTP/1.1 200 OK',
      `Content-Length: ${bytes + 1000}`,
      `Inference-Header-Content-Length: ${json}`,
    ]),
  ],
  [
    'states a shorter Content-Length than it sends',
    'malformed',
    wire((bytes, json) => [
      'HTTP/1.1 200 OK',
      `Content-Length: ${bytes - 1000}`,
      `Inference-Header-Content-Length: ${json}`,
    ]),
  ],
  [
    'states two Content-Lengths',
    'malformed',
    wire((bytes) => ['HTTP/1.1 200 OK', `Content-Length: ${bytes}`, 'Content-Length: 7']),
  ],
  [
    'states the length of its JSON twice',
    'malformed',
    (response, { json, raw }) =>
      void response
        .writeHead(200, { 'inference-header-content-length': [String(json.length), '7'] })
        .end(Buffer.concat([json, raw])),
  ],
  [
    'states another size of its tensor than it sends',
    'malformed',
    (response, { json, raw }) => {
      const size = String(raw.length);
      const lie = Buffer.from(json.toString('utf8').replace(size, String(raw.length - 4)));
      sendAnswer(response, { json: lie, raw });
    },
  ],
  [
    'answers 200 with an error',
    'malformed',
    (response) => void response.writeHead(200).end('{"error":"out of memory"}'),
  ],
  [
    'redirects to another address',
    'refused',
    (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/v2' }).end(),
  ],
  [
    'dies between head and body',
    'unreachable',
    wire(
      (bytes, json) => ['HTTP/1.1 200 OK', `Content-Length: ${bytes}`, `Inference-Header-Content-Length: ${json}`],
      0,
    ),
  ],
  [
    'is an HTTP/1.0 server that dies in the middle of a body without a length',
    'malformed',
    wire((_, json) => ['HTTP/1.0 200 OK', `Inference-Header-Content-Length: ${json}`], 0.5),
  ],
  [
    'turns to another protocol',
    'malformed',
    wire(() => ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: other']),
  ],
];

describe('a hostile inference server', () => {
  it.each(MISBEHAVIOURS)('that %s costs the photo no more than an attempt', async (_, reason, misbehave) => {
    const session = await open();
    engine.misbehave = misbehave;
    const [run] = await Promise.allSettled([session.predict(WHITE)]);
    expect(run.status).toBe('rejected');
    const waits = ['unreachable', 'timeout'].includes(reason);
    expect(isSuturaError((run as PromiseRejectedResult).reason, 'service.unavailable')).toBe(waits);
    expect(reasons()).toEqual([reason]);
  });

  it.each([
    ['not a number', NaN],
    ['infinite', Infinity],
    ['negative', -0.5],
    ['more than one', 1.5],
  ])('that gives a probability that is %s fails that photo alone', async (_, value) => {
    const session = await open();
    engine.misbehave = (response, { json, raw }) => {
      raw.writeFloatLE(value, raw.length - 4);
      sendAnswer(response, { json, raw });
    };
    await expect(session.predict(WHITE)).rejects.toMatchObject({ code: 'model.output_invalid' });
    expect(events).toEqual([]);
  });

  it('that sends a second answer unasked does not get it taken for the next photo’s', async () => {
    const session = await open();
    engine.misbehave = (_, { json, raw }, { socket }) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${json.length + raw.length}\r\nInference-Header-Content-Length: ${json.length}\r\n\r\n`;
      const answer = Buffer.concat([Buffer.from(head), json, raw]);
      const other = Buffer.concat([Buffer.from(head), json, Buffer.alloc(raw.length)]);
      socket.write(Buffer.concat([answer, other]));
    };
    // Bytes that nobody asked for may end the connection under a photo that is just being sent, which costs it an attempt.
    const predicted = () => eventually('an answer', () => session.predict(WHITE));
    const first = await predicted();
    engine.misbehave = undefined;
    const second = await predicted();
    expect(second.probabilities).toEqual(first.probabilities);
    expect(second.probabilities[0]).toBeGreaterThan(0);
  });
});

describe('an inference server of HTTP/1.0, whose answers end with the connection,', () => {
  it('is used as any other', async () => {
    const session = await open();
    const { probabilities } = await session.predict(WHITE);
    engine.misbehave = wire((_, json) => ['HTTP/1.0 200 OK', `Inference-Header-Content-Length: ${json}`]);
    for (let run = 0; run < 2; run += 1) await expect(session.predict(WHITE)).resolves.toMatchObject({ probabilities });
    expect(events).toEqual([]);
  });
});
