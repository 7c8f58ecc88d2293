import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isThere, said } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);
const PHOTO_BYTES = 400_000_000;
const MOST_BUFFER_BYTES = 30_000_000;
/** Of the whole process, whose heap grows as its collector pleases: 2 to 41 MB were seen, and 430 with a copy of the photo. */
const MOST_BYTES = 100_000_000;
const NODE = `node-${process.platform}-${process.arch}`;

/** By name: the package of npm that has it, its program, and the words before those of a script. */
const RUNTIMES: readonly (readonly [name: string, from: string, program: string, ...words: string[]])[] = [
  ...['20', '22', '24'].map(
    (line) => [`Node.js ${line}`, `${NODE}@${line}`, `${NODE}/bin/node`, '--expose-gc'] as const,
  ),
  ['Bun', 'bun', '.bin/bun'],
  ['Deno', 'deno', '.bin/deno', 'run', '--quiet', '-A', '--v8-flags=--expose-gc', '--node-modules-dir=manual'],
];

/** Each stays in .cache, so that a later night needs no network. */
function programOf(from: string, program: string): string | null {
  const place = join(ROOT, '.cache/toolchains', from);
  const binary = join(place, 'node_modules', program);
  if (existsSync(binary)) return binary;
  mkdirSync(place, { recursive: true });
  const isFetched = isThere('npm', 'install', '--prefix', place, '--no-save', '--no-audit', '--no-fund', from);
  return isFetched && existsSync(binary) ? binary : null;
}

const found = RUNTIMES.map(([name, from, program, ...words]) => ({ name, binary: programOf(from, program), words }));
const missing = found.filter(({ binary }) => binary === null).map(({ name }) => name);
if (missing.length > 0) process.stdout.write(`Skipped, since npm does not give them here: ${missing.join(', ')}.\n`);

describe('the JavaScript library sends 400 MB without keeping them, and to no redirect', () => {
  let folder: string;
  let server: Server;
  let baseUrl: string;
  const elsewhere: (string | undefined)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sutura-runtimes-'));
    for (const [name, sizeBytes] of [
      ['photo.jpg', PHOTO_BYTES],
      ['photo.jpg.small', 60_000_000],
    ] as const) {
      await writeFile(join(folder, name), JPEG);
      await truncate(join(folder, name), sizeBytes);
    }
    await copyFile(join(ROOT, 'test/fixtures/generators/upload_large.mjs'), join(folder, 'upload_large.mjs'));
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await said(join(ROOT, 'sdk/javascript'), 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder);
    await said(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', './sutura-sdk-0.1.0.tgz');
    server = createServer((request, response) => {
      if (request.url === '/redirect') {
        response.writeHead(307, { location: '/elsewhere' }).end();
        request.resume();
        return;
      }
      if (request.url !== '/photo') elsewhere.push(request.url);
      request.resume().on('end', () => response.end());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, 120_000);
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(found.flatMap(({ name, binary, words }) => (binary === null ? [] : [[name, [binary, ...words]] as const])))(
    '%s',
    async (name, [binary, ...words]) => {
      const script = [join(folder, 'upload_large.mjs'), '@sutura/sdk', baseUrl, join(folder, 'photo.jpg')];
      const { sizeBytes, rss, arrayBuffers, refusal } = JSON.parse(
        await said(folder, binary!, ...words, ...script),
      ) as Record<string, number | string>;
      process.stdout.write(
        `${name}: ${Math.round(Number(rss) / 1e6)} MB more in all, ${Math.round(Number(arrayBuffers) / 1e6)} MB of them buffers\n`,
      );
      expect([sizeBytes, refusal, elsewhere]).toEqual([PHOTO_BYTES, 'MalformedResponseError', []]);
      expect(Number(arrayBuffers)).toBeLessThanOrEqual(MOST_BUFFER_BYTES);
      expect(Number(rss)).toBeLessThanOrEqual(MOST_BYTES);
    },
    300_000,
  );
});
