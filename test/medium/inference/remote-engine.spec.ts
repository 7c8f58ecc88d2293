import { isSuturaError } from '../../../src/core/errors/sutura-error.js';
import type { EngineEvent } from '../../../src/inference/model/engine-failure.js';
import type { SegmentationManifest } from '../../../src/inference/model/model-manifest.js';
import type { EngineSettings } from '../../../src/inference/model/model-runtime.js';
import { remoteProvider } from '../../../src/inference/model/remote-runtime.js';
import { openSegmentationSession } from '../../../src/inference/model/segmentation-session.js';
import { eventually } from '../../support/eventually.js';
import { FakeEngine, sendAnswer, type FakeEngineOptions, type Misbehaviour } from '../../support/fake-engine.js';

const SIDE = 256;
const PLANE = SIDE * SIDE;
const MODEL = 'wound-segmentation-test';
const SHA256 = 'a'.repeat(64);
const manifest: SegmentationManifest = {
  name: 'wound-segmentation',
  version: '1',
  task: 'wound-segmentation',
  file: 'model.onnx',
  sha256: SHA256,
  input: { name: 'image', width: SIDE, height: SIDE, mean: [0, 0, 0], std: [1, 1, 1], resize: 'letterbox' },
  output: { name: 'probability' },
  threshold: 0.5,
  minAreaShare: 0,
  researchOnly: true,
  licence: 'none',
};

let engines: FakeEngine[] = [];
let events: EngineEvent[] = [];
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.stop()));
  expect(engines.flatMap(({ objections }) => objections)).toEqual([]);
  engines = [];
  events = [];
});

async function serve(options: Partial<FakeEngineOptions> = {}): Promise<FakeEngine> {
  const engine = await new FakeEngine({ model: MODEL, ...options }).start();
  engines.push(engine);
  return engine;
}

function open(
  urls: readonly string[],
  changes: Partial<SegmentationManifest> = {},
  { timeoutMs = 5000, recheckMs = 60_000 }: Partial<Pick<EngineSettings, 'timeoutMs' | 'recheckMs'>> = {},
) {
  const settings = { urls, timeoutMs, recheckMs, caFile: null };
  // Servers of earlier tests are still tried again; their events are not ours.
  const heard: EngineEvent[] = (events = []);
  const model = {
    folder: MODEL,
    manifest: { ...manifest, ...changes },
    readWeights: () => {
      throw new Error('the weights are the server’s business');
    },
  };
  return openSegmentationSession(model, [remoteProvider(settings, (event) => void heard.push(event))]);
}

/** Everywhere the same colour, of 0 to 1. */
function picture(red: number, green = 0, { mean, std } = manifest.input): Float32Array {
  const values = new Float32Array(3 * PLANE);
  [red, green, 0].forEach((colour, channel) =>
    values.fill((colour - mean[channel]!) / std[channel]!, channel * PLANE, (channel + 1) * PLANE),
  );
  return values;
}
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));
const reasons = () => events.flatMap((event) => (event.what === 'failed' ? [event.reason] : []));

describe('a model of an inference server', () => {
  it('is refused where no server answers, and the refusal says which was asked', async () => {
    const engine = await serve();
    await engine.stop();
    await expect(open([engine.url])).rejects.toThrow(
      new RegExp(`runs on none of the execution providers: remote \\(127.0.0.1:\\d+ cannot be reached \\(ECONNREFUSED`),
    );
  });

  it('is refused where the server has none of that name', async () => {
    const engine = await serve({ model: 'other' });
    await expect(open([engine.url])).rejects.toThrow(/answers 404 to .*is the model in its repository\?/);
  });

  it('is refused while the server still loads it', async () => {
    const engine = await serve();
    engine.ready = false;
    await expect(open([engine.url])).rejects.toThrow(`answers 503 to v2/models/${MODEL}/ready`);
  });

  it.each(['config', 'metadata'] as const)('is refused where its %s states another sha256', async (sha256In) => {
    const engine = await serve({ sha256: 'b'.repeat(64), sha256In });
    await expect(open([engine.url])).rejects.toThrow(
      new RegExp(`${MODEL} of the inference server 127.0.0.1:\\d+ states another sha256 than ${MODEL}/manifest.json`),
    );
  });

  it('is refused where its frame is another than the manifest’s', async () => {
    const engine = await serve({ side: 128 });
    await expect(open([engine.url])).rejects.toThrow(
      `the model ${MODEL} of the inference server has the input "image" of shape [-1, 3, 128, 128]; [batch, 3, 256, 256] is needed.`,
    );
  });

  it('is refused where an output has another name', async () => {
    const engine = await serve({ outputName: 'mask' });
    await expect(open([engine.url])).rejects.toThrow('has no output named "probability" but "mask"');
  });

  it('is refused where two servers have different ones', async () => {
    const [one, other] = [await serve(), await serve({ datatype: 'UINT8' })];
    await expect(open([one.url, other.url])).rejects.toThrow('has other inputs and outputs than before or elsewhere');
  });

  it.each([
    ['raw tensors', {}],
    ['decimal numbers, where the server has no binary extension', { binary: false }],
    ['the sha256 of the manifest', { sha256: SHA256, sha256In: 'config' as const }],
  ])('answers the probabilities of a picture with %s', async (_, options) => {
    const engine = await serve(options);
    const session = await open([engine.url]);
    const { probabilities } = await session.predict(picture(0.75, 0.5));
    expect(probabilities).toHaveLength(PLANE);
    expect(probabilities[PLANE - 1]).toBeCloseTo(sigmoid(60 * 0.25 - 18), 5);
    expect(session.provider).toBe('remote');
  });

  it('gets bytes where it takes bytes: the very colours that the numbers were made from', async () => {
    const input = { ...manifest.input, mean: [0.45, 0.4, 0.5], std: [0.27, 0.25, 0.3] } as const;
    const engine = await serve({ datatype: 'UINT8' });
    const session = await open([engine.url], { input: { ...input, mean: [...input.mean], std: [...input.std] } });
    for (const [red, green] of [
      [0, 0],
      [255, 0],
      [201, 117],
    ] as const) {
      const numbers = picture(red / 255, green / 255, {
        ...manifest.input,
        mean: [...input.mean],
        std: [...input.std],
      });
      const { probabilities } = await session.predict(numbers);
      expect(probabilities[0]).toBeCloseTo(sigmoid((60 * (red - green)) / 255 - 18), 5);
    }
  });
});

const HOSTILE: readonly (readonly [string, string, Misbehaviour])[] = [
  ['503', 'busy', (response) => void response.writeHead(503).end()],
  ['500', 'refused', (response) => void response.writeHead(500).end('{"error":"x"}')],
  ['no HTTP', 'malformed', (_, __, { socket }) => void socket.end('hello\r\n\r\n')],
  ['a closed connection', 'unreachable', (_, __, { socket }) => void socket.destroy()],
  [
    'an answer that is cut off',
    'unreachable',
    (response, { json, raw }) => {
      const headers = { 'inference-header-content-length': json.length, 'content-length': json.length + raw.length };
      response.writeHead(200, headers).write(Buffer.concat([json, raw.subarray(0, 1000)]), () => response.destroy());
    },
  ],
  ['nothing at all in time', 'timeout', () => undefined],
  [
    'a beginning, and then nothing',
    'timeout',
    (response, { json, raw }) =>
      void response.writeHead(200, { 'content-length': json.length + raw.length }).write(json.subarray(0, 10)),
  ],
  [
    'a tensor that is too short',
    'malformed',
    (response, { json, raw }) => sendAnswer(response, { json, raw: raw.subarray(4) }),
  ],
  [
    'a tensor that is too long',
    'malformed',
    (response, { json, raw }) => sendAnswer(response, { json, raw: Buffer.concat([raw, Buffer.alloc(4)]) }),
  ],
  [
    'more than any answer can have',
    'malformed',
    (response, { json }) => sendAnswer(response, { json, raw: Buffer.alloc(8 * 1024 * 1024) }),
  ],
  ['another shape', 'malformed', changed('[1,1,256,256]', '[1,1,128,512]')],
  ['another type', 'malformed', changed('"FP32"', '"FP16"')],
  ['another output', 'malformed', changed('"probability"', '"improbable!"')],
  ['no JSON', 'malformed', changed('{', '[')],
  ['a negative length', 'malformed', withJsonLength('-1')],
  ['a length of its JSON beyond the end', 'malformed', withJsonLength('999999999')],
  [
    'a huge HTTP header',
    'malformed',
    (response, answer) => {
      response.setHeader('x-huge', 'x'.repeat(64 * 1024));
      sendAnswer(response, answer);
    },
  ],
  [
    'an unending number in JSON alone',
    'malformed',
    (response) =>
      void response
        .writeHead(200)
        .end('{"outputs":[{"name":"probability","datatype":"FP32","shape":[1e999],"data":[]}]}'),
  ],
];

function changed(text: string, other: string): Misbehaviour {
  return (response, { json, raw }) =>
    sendAnswer(response, { json: Buffer.from(json.toString('utf8').replace(text, other)), raw });
}

function withJsonLength(length: string): Misbehaviour {
  return (response, { json, raw }) =>
    void response.writeHead(200, { 'inference-header-content-length': length }).end(Buffer.concat([json, raw]));
}

describe('a run on an inference server', () => {
  it.each(HOSTILE)('goes to another server where one answers with %s', async (_, reason, misbehave) => {
    const [bad, good] = [await serve(), await serve()];
    const session = await open([bad.url, good.url], {}, reason === 'timeout' ? { timeoutMs: 1500 } : {});
    bad.misbehave = misbehave;
    const both = await Promise.all([session.predict(picture(1)), session.predict(picture(1))]);
    expect(both.map(({ probabilities }) => probabilities[0]! > 0.999)).toEqual([true, true]);
    expect(new Set(reasons())).toEqual(new Set([reason]));
  });

  it.each(HOSTILE)(
    'leaves the photo waiting or to another attempt where the only server answers with %s',
    async (_, reason, misbehave) => {
      const engine = await serve();
      const session = await open([engine.url], {}, reason === 'timeout' ? { timeoutMs: 1500 } : {});
      engine.misbehave = misbehave;
      const [run] = await Promise.allSettled([session.predict(picture(1))]);
      const waits = ['busy', 'unreachable', 'timeout'].includes(reason);
      expect(run.status).toBe('rejected');
      expect(isSuturaError((run as PromiseRejectedResult).reason, 'service.unavailable')).toBe(waits);
      expect(reasons()).toEqual([reason]);
      expect(events).toContainEqual({ what: 'away' });
    },
  );

  it('is sent again where the server closes a kept connection just as it is used', async () => {
    const engine = await serve();
    const session = await open([engine.url]);
    engine.closeNext = true;
    await expect(session.predict(picture(1))).resolves.toMatchObject({ novelty: null });
    expect({ closed: !engine.closeNext, events }).toEqual({ closed: true, events: [] });
  });

  it('fails its own photo alone where an output is no number', async () => {
    const engine = await serve();
    const session = await open([engine.url]);
    engine.misbehave = (response, { json, raw }) => {
      raw.writeFloatLE(NaN, 400);
      sendAnswer(response, { json, raw });
    };
    await expect(session.predict(picture(1))).rejects.toMatchObject({ code: 'model.output_invalid' });
    engine.misbehave = undefined;
    await expect(session.predict(picture(1))).resolves.toMatchObject({ novelty: null });
    expect(events).toEqual([]);
  });

  it('is not tried while every server rests, and is once one has come back', async () => {
    const engine = await serve();
    const session = await open([engine.url]);
    await engine.stop();
    await expect(session.predict(picture(1))).rejects.toMatchObject({ code: 'service.unavailable' });
    await expect(session.predict(picture(1))).rejects.toMatchObject({ code: 'service.unavailable' });
    expect(reasons()).toHaveLength(1);
    await engine.start();
    await eventually('the server is used again', () => events.some(({ what }) => what === 'back'));
    await expect(session.predict(picture(1))).resolves.toMatchObject({ novelty: null });
  });

  it('stays away from a server that comes back with another model', async () => {
    const engine = await serve({ sha256: SHA256, sha256In: 'config' });
    const session = await open([engine.url]);
    await engine.stop();
    await expect(session.predict(picture(1))).rejects.toMatchObject({ code: 'service.unavailable' });
    engine.options = { ...engine.options, sha256: 'c'.repeat(64) };
    await engine.start();
    await eventually('the change is noticed', () => reasons().includes('mismatch'));
    await expect(session.predict(picture(1))).rejects.toMatchObject({ code: 'service.unavailable' });
    expect(events.some(({ what }) => what === 'back')).toBe(false);
  });

  it('notices other weights behind the same name, and gives them no photo until the first are back', async () => {
    const engine = await serve();
    const session = await open([engine.url], {}, { recheckMs: 20 });
    engine.border = 0.35;
    await eventually('the change is noticed', () => reasons().includes('mismatch'));
    await expect(session.predict(picture(1))).rejects.toMatchObject({ code: 'service.unavailable' });
    engine.border = 0.3;
    await eventually('the server is used again', () => events.some(({ what }) => what === 'back'));
    await expect(session.predict(picture(1))).resolves.toMatchObject({ novelty: null });
  });

  it('gives no photo to one server of two that answers with other weights', async () => {
    const [one, other] = [await serve(), await serve()];
    other.border = 0.35;
    const session = await open([one.url, other.url], {}, { recheckMs: 20 });
    await eventually('the difference is noticed', () => reasons().includes('mismatch'));
    const asked = { one: one.runs, other: other.runs };
    await session.predict(picture(1));
    await session.predict(picture(1));
    expect(one.runs - asked.one).toBeGreaterThanOrEqual(2);
    expect(events.some(({ what }) => what === 'away')).toBe(false);
  });

  it('does not send a server to rest that is busy or slow while it is compared', async () => {
    const engine = await serve();
    const session = await open([engine.url], {}, { recheckMs: 20 });
    const before = engine.runs;
    engine.misbehave = (response) => void response.writeHead(503).end();
    await eventually('it was asked again and again', () => engine.runs > before + 2);
    engine.misbehave = undefined;
    await expect(session.predict(picture(1))).resolves.toMatchObject({ novelty: null });
    expect(events).toEqual([]);
  });

  it('shares its servers by turns', async () => {
    const [one, other] = [await serve(), await serve()];
    const session = await open([one.url, other.url]);
    const before = one.runs + other.runs;
    await Promise.all(Array.from({ length: 6 }, () => session.predict(picture(1))));
    expect(one.runs + other.runs - before).toBe(6);
    expect(Math.abs(one.runs - other.runs)).toBeLessThanOrEqual(1);
  });
});
