// Signals and time.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import * as sdk from '../dist/index.mjs';
import { expectNoMismatch, JOB, scripted, spoolFolders, target } from './own-ground.mjs';
import { control, fakeTime, TIME } from './run-case.mjs';

const READ = { like: 'read the job' };

export const signalCases = [
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
      const client = await scripted(server, [
        { expect: READ, answer: { status: 200, json: { like: 'completed' }, delayMs: 30_000 } },
      ]);
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
      await assert.rejects(
        client.waitForJob(JOB, { signal: controller.signal, intervalMs: 30_000, longPoll: false, onProgress }),
        (fault) => fault === 'enough',
      );
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    },
  },
  {
    name: 'ends an upload in the middle, with the reason of the signal, and keeps nothing of the stream',
    run: async (server) => {
      const before = await spoolFolders();
      const client = await scripted(server, [{ expect: { like: 'upload' }, answer: { status: 200, delayMs: 30_000 } }]);
      const controller = new AbortController();
      const onProgress = ({ sentBytes }) => sentBytes > 200_000 && controller.abort('camera dropped');
      const bytes = await control(server, '/__samples/large-jpeg');
      const file = new Blob([bytes]).stream();
      await assert.rejects(
        client.uploadFileToSignedUrl({ ...target(server), file, onProgress, signal: controller.signal }),
        (fault) => fault === 'camera dropped',
      );
      assert.deepEqual(await spoolFolders(), before);
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    },
  },
  {
    name: 'does not cut off an upload that is slow and moves, but one that stands still',
    run: async (server) => {
      const bytes = await control(server, '/__samples/large-jpeg');
      const slow =
        (stopsAt) =>
        async (_, { body, signal }) => {
          const reader = body.getReader();
          for (let at = 0; ; at += 1) {
            await delay(at === stopsAt ? 30_000 : 50, undefined, { signal });
            if ((await reader.read()).done) return new Response('');
          }
        };
      const options = { apiKey: server.apiKey, baseUrl: server.url, timeoutMs: 500, maxRetries: 0 };
      const upload = (fetch) =>
        new sdk.SuturaClient({ ...options, fetch }).uploadFileToSignedUrl({
          ...target(server),
          file: bytes.subarray(0, 65_536 * 15),
        });
      await upload(slow(-1));
      await assert.rejects(upload(slow(3)), sdk.RequestTimeoutError);
    },
  },
  {
    name: 'does not ask without a pause, whatever interval it is given',
    run: async (server) => {
      const { pauses, time } = fakeTime();
      const exchanges = [
        { expect: READ, answer: { status: 200, headers: { 'retry-after': '0' }, json: { like: 'queued' } } },
        { expect: READ, answer: { status: 200, json: { like: 'queued' } } },
        { expect: READ, answer: { status: 200, json: { like: 'completed' } } },
      ];
      const client = await scripted(server, exchanges, { [TIME]: time });
      await client.waitForJob(JOB, { intervalMs: 0 });
      assert.deepEqual(pauses, [100, 100]);
    },
  },
  {
    name: 'lets many calls share one signal, which has one listener and ends them all',
    run: async (server) => {
      const hanging = (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      const client = new sdk.SuturaClient({ apiKey: server.apiKey, baseUrl: server.url, fetch: hanging });
      const controller = new AbortController();
      const calls = Array.from({ length: 50 }, () => client.getUsage({ signal: controller.signal }));
      const ended = Promise.allSettled(calls);
      assert.equal(getEventListeners(controller.signal, 'abort').length, 1);
      controller.abort('ward closed');
      assert.deepEqual(new Set((await ended).map(({ reason }) => reason)), new Set(['ward closed']));
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    },
  },
  {
    name: 'leaves no listener on a signal that lives on',
    run: async (server) => {
      const client = await scripted(server, [
        {
          expect: { like: 'read the usage' },
          answer: { status: 503, problem: 'service.unavailable', headers: { 'retry-after': '0' } },
        },
        { expect: { like: 'read the usage' }, answer: { status: 200, json: { like: 'usage' } } },
      ]);
      const { signal } = new AbortController();
      await client.getUsage({ signal });
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    },
  },
];
