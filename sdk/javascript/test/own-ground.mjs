// What the cases of this library alone stand on.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SuturaClient } from '../dist/index.mjs';
import { control } from './run-case.mjs';

export const JOB = '01997f2e-4b77-7c00-8000-9a3b1c5d7e80';

/** A client in front of the exchanges given. */
export async function scripted(server, exchanges, options = {}) {
  await control(server, '/__case', { exchanges });
  return new SuturaClient({ apiKey: server.apiKey, baseUrl: server.url, ...options });
}

export async function expectNoMismatch(server) {
  assert.deepEqual((await control(server, '/__report')).mismatches, []);
}

/** Where the scripted server takes a photo. */
export const target = (server) => ({
  uploadUrl: `${server.url}/storage/uploads/01997f2e-3c1a-7a00-8000-5b1f0c2d4e6f?version=1&signature=${server.signature}`,
});

/** With an empty folder that is gone afterwards. */
export async function inFolder(task) {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-own-'));
  try {
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The temporary folders that streams leave while they are uploaded. */
export const spoolFolders = async () =>
  (await readdir(tmpdir())).filter((name) => /^sutura-[A-Za-z0-9]{6}$/.test(name));
