// What only the JavaScript library promises: construction, what is printed, forms of a call. Run by contract-runner.mjs, so under every Node.js.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as sdk from '../dist/index.mjs';
import { fileCases } from './own-files.mjs';
import { followUpCases } from './own-follow-up.mjs';
import { signalCases } from './own-signals.mjs';
import { expectNoMismatch, JOB, scripted, target } from './own-ground.mjs';
import { webhookCases } from './own-webhooks.mjs';
import { control, fakeTime, printable, TIME } from './run-case.mjs';

const { SuturaClient } = sdk;
const READ = { like: 'read the job' };

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

const isConfigurationError =
  (containing, ...hidden) =>
  (fault) =>
    fault instanceof sdk.ConfigurationError &&
    fault.message.includes(containing) &&
    hidden.every((text) => !printable(fault).includes(text));

const construction = [
  {
    name: 'takes key and address from the environment, an option before it',
    run: () =>
      withEnvironment(
        { SUTURA_API_KEY: 'sut_test_fromEnvironment\n', SUTURA_BASE_URL: 'http://gateway.example/sutura/' },
        () => {
          assert.equal(new SuturaClient().baseUrl, 'http://gateway.example/sutura');
          assert.equal(new SuturaClient({ baseUrl: 'https://other.example' }).baseUrl, 'https://other.example');
        },
      ),
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
      const client = await scripted(server, [
        { expect: { like: 'ask for an address' }, answer: { status: 201, json: { like: 'ticket' } } },
      ]);
      const ticket = await client.getUploadUrl();
      assert.ok(
        !`${inspect(client, { depth: 10, showHidden: true })}${JSON.stringify(client)}${client}`.includes(
          server.apiKey,
        ),
      );
      assert.ok(!inspect({ client, ticket }, { depth: 10, showHidden: true }).includes(server.signature));
      assert.ok(
        JSON.parse(JSON.stringify(ticket)).uploadUrl.includes(server.signature) &&
          { ...ticket }.uploadUrl === ticket.uploadUrl,
      );
    },
  },
  {
    name: 'does not print the clinical text of a job with its error, and has the job all the same',
    run: async (server) => {
      const client = await scripted(server, [
        { expect: READ, answer: { status: 200, json: { like: 'failed', clinicalContext: 'Heel of Mrs M' } } },
      ]);
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
      const faults = await Promise.all(
        [client.getUsage(), client.uploadFileToSignedUrl({ ...target(server), file })].map((call) =>
          call.catch((reason) => reason),
        ),
      );
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
      const exchanges = [
        { expect: usage, answer: { fault: 'close-before-answer' } },
        { expect: usage, answer: { status: 200, headers: { 'x-request-id': 'r1' }, json: { like: 'usage' } } },
      ];
      const client = await scripted(server, exchanges, { logger, [TIME]: time });
      await client.getUsage();
      assert.ok(lines.every(({ durationMs, message }) => durationMs >= 0 && message === 'sutura: GET /api/v1/usage'));
      const facts = lines.map(({ method, path, status, fault, attempt, requestId }) => [
        method,
        path,
        status ?? fault,
        attempt,
        requestId,
      ]);
      assert.deepEqual(facts, [
        ['GET', '/api/v1/usage', 'NetworkError', 1, undefined],
        ['GET', '/api/v1/usage', 200, 2, 'r1'],
      ]);
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
      const jobs = [
        await client.getJob(JOB),
        await client.getJob({ jobId: JOB }),
        await client.waitForJob(JOB, { timeoutMs: 500 }),
        await client.waitForJob({ jobId: JOB, timeoutMs: 500 }),
      ];
      assert.ok(jobs.every(({ id }) => id === JOB));
      const imageId = '01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f';
      assert.deepEqual(
        [await client.deleteImage(imageId), await client.deleteImage({ imageId })],
        [undefined, undefined],
      );
      await expectNoMismatch(server);
    },
  },
  {
    name: 'refuses an id that would lead elsewhere, and a key that no header can hold',
    run: async (server) => {
      const client = await scripted(server, []);
      for (const id of ['', '.', '..', undefined, 12]) await assert.rejects(client.getJob(id), TypeError);
      await assert.rejects(client.createAnalysisJob({ imageId: 'x', idempotencyKey: 'a\nb' }), TypeError);
      await assert.rejects(
        client.uploadFileToSignedUrl({
          uploadUrl: `file:///${server.signature}`,
          file: await control(server, '/__samples/jpeg'),
        }),
        (fault) => fault instanceof TypeError && !printable(fault).includes(server.signature),
      );
      await expectNoMismatch(server);
    },
  },
  {
    name: 'sends a misspelt field, so that the service refuses it; dates as moments; nothing for null',
    run: async (server) => {
      const json = { imageId: 'x', clinicalContxt: 'Heel', capturedAt: '2026-01-05T08:00:00.000Z' };
      const client = await scripted(server, [
        { expect: { like: 'create a job', json }, answer: { status: 400, problem: 'request.invalid' } },
      ]);
      await assert.rejects(
        client.createAnalysisJob({
          ...json,
          capturedAt: new Date(json.capturedAt),
          subject: null,
          metadata: undefined,
        }),
        sdk.BadRequestError,
      );
      await expectNoMismatch(server);
    },
  },
  {
    name: 'stops going through pages where the caller stops',
    run: async (server) => {
      const client = await scripted(server, [
        {
          expect: { like: 'list jobs' },
          answer: { status: 200, json: { items: [{ like: 'completed' }, { like: 'queued' }], nextCursor: 'more' } },
        },
      ]);
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
      assert.equal(types.length, 23);
      for (const [name, type] of types) {
        const fault = name === 'JobFailedError' ? new type({ id: 'x' }) : new type('said');
        assert.ok(fault instanceof sdk.SuturaError && fault instanceof Error);
        assert.deepEqual([fault.name, type.name, Object.keys(fault).includes('name')], [name, name, false]);
      }
    },
  },
];

const anyRoute = [
  {
    name: 'sends the key with a request of any route to no other service',
    run: async (server) => {
      const client = await scripted(server, []);
      for (const path of [`${server.otherUrl}/api/v1/usage`, '//other.example/api/v1/usage', 'api/v1/usage', ''])
        await assert.rejects(client.request('GET', path), /the key goes nowhere else/);
      await expectNoMismatch(server);
    },
  },
  {
    name: 'takes a 404 to a repeated DELETE of any route for done, and to the first one for a refusal',
    run: async (server) => {
      const expect = { method: 'DELETE', path: '/api/v1/anything/1' };
      const gone = { expect, answer: { status: 404, problem: 'webhook.not_found' } };
      const client = await scripted(server, [gone, { expect, answer: { fault: 'close-before-answer' } }, gone]);
      await assert.rejects(client.request('DELETE', '/api/v1/anything/1'), sdk.NotFoundError);
      assert.equal((await client.request('DELETE', '/api/v1/anything/1')).status, 404);
      await expectNoMismatch(server);
    },
  },
  {
    name: 'says that an answer of any route is no JSON where it is none',
    run: async (server) => {
      const answer = { status: 200, text: '<p>Log in.</p>' };
      const client = await scripted(server, [{ expect: { method: 'GET', path: '/api/v1/usage' }, answer }]);
      const { json, body } = await client.request('GET', '/api/v1/usage');
      assert.equal(new TextDecoder().decode(body), '<p>Log in.</p>');
      assert.throws(json, sdk.MalformedResponseError);
    },
  },
];

export const ownCases = [
  ...anyRoute,
  ...fileCases,
  ...signalCases,
  ...construction,
  ...secrecy,
  ...calls,
  ...followUpCases,
  ...webhookCases,
];
