// Forms of the calls on wounds and reports, and what becomes of a saved report when its file cannot be written.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as sdk from '../dist/index.mjs';
import { expectNoMismatch, inFolder, scripted } from './own-ground.mjs';

const WOUND = '01997f30-5d21-7a66-8e0f-4c1b9a7d3e25';
const REPORT = '01997f2e-6d10-7e00-8000-7c5d3e9f1a02';
const ETAG = '"1.8yR3k_Zq-fA"';
const REVIEW = { decision: 'accept', reviewer: { id: 'HCP-0042', name: 'Example Reviewer' } };
const wound = { status: 200, json: { like: 'wound in detail' } };
const pdf = { status: 200, headers: { 'content-type': 'Application/PDF;v=1' }, sample: 'pdf' };

const refusals = [
  {
    name: 'does not send a review without the tag of what was read, nor under a key that no header takes',
    run: async (server) => {
      const client = await scripted(server, []);
      for (const etag of [undefined, null, '', 'W/'])
        await assert.rejects(client.reviewReport({ id: REPORT, etag }, REVIEW), { name: 'TypeError', message: /etag/ });
      await assert.rejects(client.reviewReport({ id: REPORT, etag: ETAG }, REVIEW, { idempotencyKey: 'ä' }), {
        name: 'TypeError',
        message: /idempotencyKey/,
      });
      await expectNoMismatch(server);
    },
  },
  {
    name: 'does not ask for a document of a kind that there is not, nor for a wound or report without an id',
    run: async (server) => {
      const client = await scripted(server, []);
      for (const format of ['docx', undefined, 'toString'])
        await assert.rejects(client.downloadReport(REPORT, { format }), {
          name: 'TypeError',
          message: /pdf, html, text, json/,
        });
      for (const id of ['', '..', undefined, 7]) {
        await assert.rejects(client.getWound({ woundId: id }), { name: 'TypeError', message: /woundId/ });
        await assert.rejects(client.getReport({ reportId: id }), { name: 'TypeError', message: /reportId/ });
      }
      await expectNoMismatch(server);
    },
  },
  {
    name: 'sends a misspelt option of a document to the service, which refuses it',
    run: async (server) => {
      const expect = { like: 'fetch the report as PDF', query: { langauge: 'de' } };
      const client = await scripted(server, [{ expect, answer: { status: 400, problem: 'request.invalid' } }]);
      await assert.rejects(client.downloadReport(REPORT, { format: 'pdf', langauge: 'de' }), sdk.BadRequestError);
      await expectNoMismatch(server);
    },
  },
  {
    name: 'gives a fault of the file of a report back as it is, and does not ask again',
    run: (server) =>
      inFolder(async (folder) => {
        const client = await scripted(server, [{ expect: { like: 'fetch the report as PDF' }, answer: pdf }]);
        await assert.rejects(
          client.saveReport(REPORT, { path: join(folder, 'no such folder', 'report.pdf'), format: 'pdf' }),
          { code: 'ENOENT' },
        );
        await expectNoMismatch(server);
        assert.deepEqual(await readdir(folder), []);
      }),
  },
];

const forms = [
  {
    name: 'takes the id of a wound before the options or among them, and moments as Date',
    run: async (server) => {
      const timeline = {
        expect: { like: 'read the timeline', query: { from: '2025-12-01T00:00:00.000Z' } },
        answer: { status: 200, json: { like: 'timeline' } },
      };
      const merge = { expect: { like: 'merge the wound', json: { into: 'b' } }, answer: wound };
      const client = await scripted(server, [
        { expect: { like: 'read the wound' }, answer: wound },
        timeline,
        timeline,
        merge,
        merge,
      ]);
      assert.equal((await client.getWound(WOUND)).id, WOUND);
      const from = new Date('2025-12-01T00:00:00Z');
      assert.equal((await client.getWoundTimeline(WOUND, { from })).assessments.length, 1);
      await client.getWoundTimeline({ woundId: WOUND, from, to: undefined });
      await client.mergeWound(WOUND, { into: 'b', note: undefined, reviewer: null });
      await client.mergeWound({ woundId: WOUND, into: 'b' });
      await expectNoMismatch(server);
    },
  },
  {
    name: 'takes a media type however it is written',
    run: async (server) => {
      const client = await scripted(server, [{ expect: { like: 'fetch the report as PDF' }, answer: pdf }]);
      const bytes = await client.downloadReport({ reportId: REPORT, format: 'pdf' });
      assert.deepEqual([bytes.constructor, bytes.length], [Uint8Array, 3000]);
      await expectNoMismatch(server);
    },
  },
  {
    name: 'reviews what a reading returned, and the review of that in turn',
    run: async (server) => {
      const next = '"2.b"';
      const answer = (status, etag, version) => ({ status, headers: { etag }, json: { like: 'report', version } });
      const client = await scripted(server, [
        { expect: { like: 'read the report' }, answer: answer(200, ETAG, 1) },
        { expect: { like: 'review the report' }, answer: answer(201, next, 2) },
        { expect: { like: 'review the report', headers: { 'if-match': next } }, answer: answer(201, '"3.c"', 3) },
      ]);
      const read = await client.getReport(REPORT);
      assert.equal((await client.reviewReport(await client.reviewReport(read, REVIEW), REVIEW)).version, 3);
      await expectNoMismatch(server);
    },
  },
  {
    name: 'ends a document on its way with the reason of the signal',
    run: async (server) => {
      const client = await scripted(server, [
        { expect: { like: 'fetch the report as PDF' }, answer: { ...pdf, delayMs: 30_000 } },
      ]);
      const controller = new AbortController();
      setTimeout(() => controller.abort('enough'), 30);
      await assert.rejects(
        client.downloadReport(REPORT, { format: 'pdf', signal: controller.signal }),
        (reason) => reason === 'enough',
      );
    },
  },
];

export const followUpCases = [...refusals, ...forms];
