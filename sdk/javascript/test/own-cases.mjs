// What only the JavaScript library promises: forms of a file, signals, what is printed. Run by contract-runner.mjs, so under every Node.js too.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import * as sdk from '../dist/index.mjs';
import { control, fakeTime, printable, TIME } from './run-case.mjs';

const { SuturaClient } = sdk;
const JOB = '01997f2e-4b77-7c00-8000-9a3b1c5d7e80';
const READ = { like: 'read the job' };
const UPLOADED = [{ expect: { like: 'upload', bodySha256OfSample: 'jpeg', headers: { 'content-length': '1000' } }, answer: { status: 200 } }];

/** A client in front of the exchanges given. */
async function scripted(server, exchanges, options = {}) {
  await control(server, '/__case', { exchanges });
  return new SuturaClient({ apiKey: server.apiKey, baseUrl: server.url, ...options });
}

async function expectNoMismatch(server) {
  assert.deepEqual((await control(server, '/__report')).mismatches, []);
}

const target = (server) => ({ uploadUrl: `${server.url}/storage/uploads/01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f?version=1&signature=${server.signature}` });

async function inFolder(task) {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-own-'));
  try {
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const spoolFolders = async () => (await readdir(tmpdir())).filter((name) => /^sutura-[A-Za-z0-9]{6}$/.test(name));

/** Gives a photo over, in the form that `make` brings it into, and sees that it arrives whole. */
function uploadsAs(form, make) {
  return {
    name: `uploads ${form}`,
    run: (server) =>
      inFolder(async (folder) => {
        const bytes = await control(server, '/__samples/jpeg');
        const path = join(folder, 'photo with spaces.jpg');
        await writeFile(path, bytes);
        const before = await spoolFolders();
        const client = await scripted(server, UPLOADED);
        assert.equal((await client.uploadFileToSignedUrl({ ...target(server), file: await make(bytes, path) })).sizeBytes, 1000);
        await expectNoMismatch(server);
        assert.deepEqual(await spoolFolders(), before);
      }),
  };
}

const fileForms = [
  uploadsAs('a Buffer', (bytes) => bytes),
  uploadsAs('a part of a larger Buffer', (bytes) => Buffer.concat([Buffer.alloc(7), bytes, Buffer.alloc(9)]).subarray(7, 1007)),
  uploadsAs('an ArrayBuffer', (bytes) => Uint8Array.from(bytes).buffer),
  uploadsAs('a Blob', (bytes) => new Blob([bytes])),
  uploadsAs('a web stream', (bytes) => new Blob([bytes]).stream()),
  uploadsAs('a web stream that comes byte by byte', (bytes) => {
    let at = 0;
    return new ReadableStream({ pull: (controller) => (at < bytes.length ? controller.enqueue(Uint8Array.of(bytes[at++])) : controller.close()) });
  }),
  uploadsAs('a Node.js stream', (_, path) => createReadStream(path)),
  uploadsAs('a path with spaces', (_, path) => path),
  uploadsAs('a file: URL', (_, path) => pathToFileURL(path)),
];

const sources = [
  {
    name: 'gives back the fault of a stream as it is, closes it and keeps nothing of it',
    run: async (server) => {
      const before = await spoolFolders();
      const own = new Error('camera unplugged');
      async function* broken() {
        yield await control(server, '/__samples/jpeg');
        throw own;
      }
      const client = await scripted(server, []);
      await assert.rejects(client.analyzeImage({ file: broken() }), (fault) => fault === own);
      await expectNoMismatch(server);
      assert.deepEqual(await spoolFolders(), before);
    },
  },
  {
    name: 'refuses an endless stream that is no photo by its first bytes, and closes it',
    run: async (server) => {
      let isClosed = false;
      async function* endless() {
        try {
          for (;;) yield Buffer.from('not a photo, ');
        } finally {
          isClosed = true;
        }
      }
      const client = await scripted(server, []);
      await assert.rejects(client.analyzeImage({ file: endless() }), sdk.UnsupportedImageError);
      assert.equal(isClosed, true);
    },
  },
  {
    name: 'gives back the fault of the file system as it is',
    run: async (server) => {
      const client = await scripted(server, []);
      await assert.rejects(client.analyzeImage({ file: '/no/such/photo.jpg' }), { code: 'ENOENT' });
      await assert.rejects(client.analyzeImage({ file: 12 }), TypeError);
      await assert.rejects(client.analyzeImage({ file: (async function* () { yield 'text'; })() }), TypeError);
    },
  },
  {
    name: 'does not repeat an upload because a progress callback throws',
    run: async (server) => {
      const own = new Error('progress bar broke');
      const client = await scripted(server, [{ expect: { like: 'upload' }, answer: { fault: 'close-mid-upload' } }]);
      const onProgress = () => {
        throw own;
      };
      const file = await control(server, '/__samples/jpeg');
      await assert.rejects(client.uploadFileToSignedUrl({ ...target(server), file, onProgress }), (fault) => fault === own);
    },
  },
  {
    name: 'tells the progress of an upload from the first byte to the last',
    run: async (server) => {
      const told = [];
      const client = await scripted(server, [{ expect: { like: 'upload', bodySha256OfSample: 'large-jpeg' }, answer: { status: 200 } }]);
      const file = new Blob([await control(server, '/__samples/large-jpeg')]);
      await client.uploadFileToSignedUrl({ ...target(server), file, onProgress: (progress) => told.push(progress.sentBytes) });
      await expectNoMismatch(server);
      assert.ok(told.length > 10 && told.every((sent, index) => index === 0 || sent > told[index - 1]), inspect(told));
      assert.equal(told.at(-1), 6_000_000);
    },
  },
];

const downloads = [
  {
    name: 'keeps the file that is there where a new download breaks off',
    run: (server) =>
      inFolder(async (folder) => {
        const path = join(folder, 'overlay.jpg');
        await writeFile(path, 'of last week');
        const client = await scripted(server, [{ expect: { like: 'fetch the overlay' }, answer: { status: 200, sample: 'jpeg', fault: 'close-mid-answer' } }], { maxRetries: 0 });
        await assert.rejects(client.downloadArtifact({ jobId: JOB, artifact: 'overlay', path }), sdk.NetworkError);
        assert.deepEqual([await readdir(folder), await readFile(path, 'utf8')], [['overlay.jpg'], 'of last week']);
      }),
  },
  {
    name: 'does not repeat a download because its folder is missing',
    run: (server) =>
      inFolder(async (folder) => {
        const client = await scripted(server, [{ expect: { like: 'fetch the overlay' }, answer: { status: 200, sample: 'jpeg' } }]);
        await assert.rejects(client.downloadArtifact({ jobId: JOB, artifact: 'overlay', path: join(folder, 'none', 'x.jpg') }), { code: 'ENOENT' });
        await expectNoMismatch(server);
      }),
  },
];

const signals = [
  {
    name: 'does not begin where the signal was given before',
    run: async (server) => {
      const client = await scripted(server, []);
      await assert.rejects(client.getUsage({ signal: AbortSignal.abort('not now') }), (reason) => reason === 'not now');
      await expectNoMismatch(server);
    },
  },
  {
    name: 'ends a request that waits for its answer, with the reason of the signal',
    run: async (server) => {
      const client = await scripted(server, [{ expect: READ, answer: { status: 200, json: { like: 'completed' }, delayMs: 30_000 } }]);
      const controller = new AbortController();
      const reason = new Error('patient left');
      setTimeout(() => controller.abort(reason), 30);
      await assert.rejects(client.waitForJob(JOB, { signal: controller.signal }), (fault) => fault === reason);
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    },
  },
  {
    name: 'ends a pause, with the reason of the signal',
    run: async (server) => {
      const client = await scripted(server, [{ expect: READ, answer: { status: 200, json: { like: 'queued' } } }]);
      const controller = new AbortController();
      const onProgress = () => setTimeout(() => controller.abort('enough'), 10);
      await assert.rejects(client.waitForJob(JOB, { signal: controller.signal, intervalMs: 30_000, longPoll: false, onProgress }), (fault) => fault === 'enough');
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    },
  },
  {
    name: 'leaves no listener on a signal that lives on',
    run: async (server) => {
      const client = await scripted(server, [
        { expect: { like: 'read the usage' }, answer: { status: 503, problem: 'service.unavailable', headers: { 'retry-after': '0' } } },
        { expect: { like: 'read the usage' }, answer: { status: 200, json: { like: 'usage' } } },
      ]);
      const { signal } = new AbortController();
      await client.getUsage({ signal });
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    },
  },
];

function withEnvironment(variables, task) {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  for (const [name, value] of Object.entries(variables)) if (value === undefined) delete process.env[name];
  try {
    return task();
  } finally {
    process.env = before;
  }
}

const isConfigurationError = (containing, ...hidden) => (fault) =>
  fault instanceof sdk.ConfigurationError && fault.message.includes(containing) && hidden.every((text) => !printable(fault).includes(text));

const construction = [
  {
    name: 'takes key and address from the environment, an option before it',
    run: () =>
      withEnvironment({ SUTURA_API_KEY: 'sut_test_fromEnvironment\n', SUTURA_BASE_URL: 'http://gateway.example/sutura/' }, () => {
        assert.equal(new SuturaClient().baseUrl, 'http://gateway.example/sutura');
        assert.equal(new SuturaClient({ baseUrl: 'https://other.example' }).baseUrl, 'https://other.example');
      }),
  },
  {
    name: 'is not made without a key, and says where one is given; the local address is the default',
    run: () =>
      withEnvironment({ SUTURA_API_KEY: undefined, SUTURA_BASE_URL: undefined }, () => {
        assert.throws(() => new SuturaClient(), isConfigurationError('SUTURA_API_KEY'));
        assert.throws(() => new SuturaClient({ apiKey: ' ' }), isConfigurationError('SUTURA_API_KEY'));
        assert.equal(new SuturaClient({ apiKey: 'k' }).baseUrl, 'http://127.0.0.1:3000');
      }),
  },
  {
    name: 'is not made with options that cannot work, and does not show them',
    run: () => {
      assert.throws(() => new SuturaClient({ apiKey: 'sut_test_ä bc' }), isConfigurationError('API key', 'sut_test_ä'));
      for (const baseUrl of ['gateway', 'ftp://gateway', 'http://user:secret@gateway', 'http://gateway/?key=secret']) {
        assert.throws(() => new SuturaClient({ apiKey: 'k', baseUrl }), isConfigurationError('base URL', 'secret'));
      }
      for (const option of [{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { maxRetries: -1 }, { maxRetryAfterMs: -1 }]) {
        assert.throws(() => new SuturaClient({ apiKey: 'k', ...option }), isConfigurationError(Object.keys(option)[0]));
      }
    },
  },
];

const secrecy = [
  {
    name: 'shows neither key nor signature where client or ticket are printed; the ticket itself is whole',
    run: async (server) => {
      const client = await scripted(server, [{ expect: { like: 'ask for an address' }, answer: { status: 201, json: { like: 'ticket' } } }]);
      const ticket = await client.getUploadUrl();
      assert.ok(!`${inspect(client, { depth: 10, showHidden: true })}${JSON.stringify(client)}${client}`.includes(server.apiKey));
      assert.ok(!inspect({ client, ticket }, { depth: 10, showHidden: true }).includes(server.signature));
      assert.ok(JSON.parse(JSON.stringify(ticket)).uploadUrl.includes(server.signature) && { ...ticket }.uploadUrl === ticket.uploadUrl);
    },
  },
  {
    name: 'does not print the clinical text of a job with its error, and has the job all the same',
    run: async (server) => {
      const client = await scripted(server, [{ expect: READ, answer: { status: 200, json: { like: 'failed', clinicalContext: 'Heel of Mrs M' } } }]);
      const fault = await client.waitForJob({ jobId: JOB }).catch((reason) => reason);
      assert.equal(fault.job.clinicalContext, 'Heel of Mrs M');
      assert.ok(!inspect(fault, { depth: 10 }).includes('Mrs M') && !JSON.stringify(fault).includes('Mrs M'));
      assert.ok(fault.stack.startsWith('JobFailedError: '));
    },
  },
  {
    name: 'does not pass on what a fetch of the caller says about an address or a key',
    run: async (server) => {
      const fetch = async (url, { headers }) => {
        throw new TypeError(`request to ${url} with ${JSON.stringify(headers)} failed`);
      };
      const client = new SuturaClient({ apiKey: server.apiKey, baseUrl: server.url, fetch, maxRetries: 0 });
      const file = await control(server, '/__samples/jpeg');
      const faults = await Promise.all([client.getUsage(), client.uploadFileToSignedUrl({ ...target(server), file })].map((call) => call.catch((reason) => reason)));
      for (const fault of faults) {
        assert.ok(fault instanceof sdk.NetworkError);
        assert.ok(!printable(fault).includes(server.apiKey) && !printable(fault).includes(server.signature));
      }
    },
  },
  {
    name: 'logs one line for each attempt',
    run: async (server) => {
      const lines = [];
      const { time } = fakeTime();
      const logger = { debug: (message, fields) => lines.push({ message, ...fields }) };
      const usage = { like: 'read the usage' };
      const exchanges = [{ expect: usage, answer: { fault: 'close-before-answer' } }, { expect: usage, answer: { status: 200, headers: { 'x-request-id': 'r1' }, json: { like: 'usage' } } }];
      const client = await scripted(server, exchanges, { logger, [TIME]: time });
      await client.getUsage();
      assert.ok(lines.every(({ durationMs, message }) => durationMs >= 0 && message === 'sutura: GET /api/v1/usage'));
      const facts = lines.map(({ method, path, status, fault, attempt, requestId }) => [method, path, status ?? fault, attempt, requestId]);
      assert.deepEqual(facts, [['GET', '/api/v1/usage', 'NetworkError', 1, undefined], ['GET', '/api/v1/usage', 200, 2, 'r1']]);
    },
  },
];

const calls = [
  {
    name: 'takes an id as it is or among the options',
    run: async (server) => {
      const answer = { status: 200, json: { like: 'completed' } };
      const remove = { expect: { like: 'delete the image' }, answer: { status: 204 } };
      const client = await scripted(server, [...Array(4).fill({ expect: READ, answer }), remove, remove]);
      const jobs = [await client.getJob(JOB), await client.getJob({ jobId: JOB }), await client.waitForJob(JOB, { timeoutMs: 500 }), await client.waitForJob({ jobId: JOB, timeoutMs: 500 })];
      assert.ok(jobs.every(({ id }) => id === JOB));
      const imageId = '01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f';
      assert.deepEqual([await client.deleteImage(imageId), await client.deleteImage({ imageId })], [undefined, undefined]);
      await expectNoMismatch(server);
    },
  },
  {
    name: 'refuses an id that would lead elsewhere, and a key that no header can hold',
    run: async (server) => {
      const client = await scripted(server, []);
      for (const id of ['', '.', '..', undefined, 12]) await assert.rejects(client.getJob(id), TypeError);
      await assert.rejects(client.createAnalysisJob({ imageId: 'x', idempotencyKey: 'a\nb' }), TypeError);
      await assert.rejects(client.uploadFileToSignedUrl({ uploadUrl: `file:///${server.signature}`, file: await control(server, '/__samples/jpeg') }), (fault) => fault instanceof TypeError && !printable(fault).includes(server.signature));
      await expectNoMismatch(server);
    },
  },
  {
    name: 'sends a misspelt field, so that the service refuses it; dates as moments; nothing for null',
    run: async (server) => {
      const json = { imageId: 'x', clinicalContxt: 'Heel', capturedAt: '2026-01-05T08:00:00.000Z' };
      const client = await scripted(server, [{ expect: { like: 'create a job', json }, answer: { status: 400, problem: 'request.invalid' } }]);
      await assert.rejects(client.createAnalysisJob({ ...json, capturedAt: new Date(json.capturedAt), subject: null, metadata: undefined }), sdk.BadRequestError);
      await expectNoMismatch(server);
    },
  },
  {
    name: 'stops going through pages where the caller stops',
    run: async (server) => {
      const client = await scripted(server, [{ expect: { like: 'list jobs' }, answer: { status: 200, json: { items: [{ like: 'completed' }, { like: 'queued' }], nextCursor: 'more' } } }]);
      for await (const job of client.iterateJobs()) {
        assert.equal(job.id, JOB);
        break;
      }
      await expectNoMismatch(server);
    },
  },
  {
    name: 'has every error class below SuturaError, under its own name',
    run: () => {
      const types = Object.entries(sdk).filter(([name]) => name.endsWith('Error'));
      assert.equal(types.length, 20);
      for (const [name, type] of types) {
        const fault = name === 'JobFailedError' ? new type({ id: 'x' }) : new type('said');
        assert.ok(fault instanceof sdk.SuturaError && fault instanceof Error);
        assert.deepEqual([fault.name, type.name, Object.keys(fault).includes('name')], [name, name, false]);
      }
    },
  },
];

export const ownCases = [...fileForms, ...sources, ...downloads, ...signals, ...construction, ...secrecy, ...calls];
