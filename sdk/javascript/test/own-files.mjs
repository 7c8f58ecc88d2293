// Forms of a file, and what becomes of files when something breaks.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as sdk from '../dist/index.mjs';
import { expectNoMismatch, inFolder, JOB, scripted, spoolFolders, target } from './own-ground.mjs';
import { control } from './run-case.mjs';

const UPLOADED = [
  {
    expect: { like: 'upload', bodySha256OfSample: 'jpeg', headers: { 'content-length': '1000' } },
    answer: { status: 200 },
  },
];

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
        assert.equal(
          (await client.uploadFileToSignedUrl({ ...target(server), file: await make(bytes, path) })).sizeBytes,
          1000,
        );
        await expectNoMismatch(server);
        assert.deepEqual(await spoolFolders(), before);
      }),
  };
}

const fileForms = [
  uploadsAs('a Buffer', (bytes) => bytes),
  uploadsAs('a part of a larger Buffer', (bytes) =>
    Buffer.concat([Buffer.alloc(7), bytes, Buffer.alloc(9)]).subarray(7, 1007),
  ),
  uploadsAs('an ArrayBuffer', (bytes) => Uint8Array.from(bytes).buffer),
  uploadsAs('a Blob', (bytes) => new Blob([bytes])),
  uploadsAs('a web stream', (bytes) => new Blob([bytes]).stream()),
  uploadsAs('a web stream that comes byte by byte', (bytes) => {
    let at = 0;
    return new ReadableStream({
      pull: (controller) => (at < bytes.length ? controller.enqueue(Uint8Array.of(bytes[at++])) : controller.close()),
    });
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
      for (const file of [
        'https://ward.example/photo.jpg',
        'data:image/jpeg;base64,/9j/',
        new URL('http://ward.example/'),
      ])
        await assert.rejects(client.analyzeImage({ file }), {
          name: 'TypeError',
          message: /address, which this library does not fetch/,
        });
      await assert.rejects(
        client.analyzeImage({
          file: (async function* () {
            yield 'text';
          })(),
        }),
        TypeError,
      );
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
      await assert.rejects(
        client.uploadFileToSignedUrl({ ...target(server), file, onProgress }),
        (fault) => fault === own,
      );
    },
  },
  {
    name: 'tells the progress of an upload from the first byte to the last',
    run: async (server) => {
      const told = [];
      const client = await scripted(server, [
        { expect: { like: 'upload', bodySha256OfSample: 'large-jpeg' }, answer: { status: 200 } },
      ]);
      const file = new Blob([await control(server, '/__samples/large-jpeg')]);
      await client.uploadFileToSignedUrl({
        ...target(server),
        file,
        onProgress: (progress) => told.push(progress.sentBytes),
      });
      await expectNoMismatch(server);
      assert.ok(told.length > 10 && told.every((sent, index) => index === 0 || sent > told[index - 1]), inspect(told));
      assert.equal(told.at(-1), 6_000_000);
    },
  },
];

const memory = [
  {
    name: 'does not keep a photo in memory while it sends it',
    run: (server) =>
      inFolder(async (folder) => {
        const path = join(folder, 'large.jpg');
        await writeFile(path, await control(server, '/__samples/jpeg'));
        await truncate(path, 64_000_000);
        const client = await scripted(server, [{ expect: { like: 'upload' }, answer: { status: 200 } }]);
        const collect = collector();
        const kept = () => (collect(), process.memoryUsage().arrayBuffers);
        const before = kept();
        let most = 0;
        let nextBytes = 0;
        const onProgress = ({ sentBytes }) => {
          if (sentBytes < nextBytes) return;
          nextBytes = sentBytes + 8_000_000;
          most = Math.max(most, kept() - before);
        };
        await client.uploadFileToSignedUrl({ ...target(server), file: path, onProgress });
        assert.ok(nextBytes > 56_000_000 && most < 16_000_000, `${most} bytes were kept`);
      }),
  },
];

/** The garbage collector, which Node.js has to be asked for. */
function collector() {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

/** As in src/connection.ts: the oldest releases keep a copy. */
const KEEPS_COPIES = /^18\.1?\d\./.test(process.versions.node);

const downloads = [
  {
    name: 'keeps the file that is there where a new download breaks off',
    run: (server) =>
      inFolder(async (folder) => {
        const path = join(folder, 'overlay.jpg');
        await writeFile(path, 'of last week');
        const client = await scripted(
          server,
          [
            {
              expect: { like: 'fetch the overlay' },
              answer: { status: 200, sample: 'jpeg', fault: 'close-mid-answer' },
            },
          ],
          { maxRetries: 0 },
        );
        await assert.rejects(client.downloadArtifact({ jobId: JOB, artifact: 'overlay', path }), sdk.NetworkError);
        assert.deepEqual([await readdir(folder), await readFile(path, 'utf8')], [['overlay.jpg'], 'of last week']);
      }),
  },
  {
    name: 'does not repeat a download because its folder is missing',
    run: (server) =>
      inFolder(async (folder) => {
        const client = await scripted(server, [
          { expect: { like: 'fetch the overlay' }, answer: { status: 200, sample: 'jpeg' } },
        ]);
        await assert.rejects(
          client.downloadArtifact({ jobId: JOB, artifact: 'overlay', path: join(folder, 'none', 'x.jpg') }),
          { code: 'ENOENT' },
        );
        await expectNoMismatch(server);
      }),
  },
];

export const fileCases = [...fileForms, ...sources, ...(KEEPS_COPIES ? [] : memory), ...downloads];
