import { createHash, createHmac, createPublicKey, randomUUID, timingSafeEqual, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bytes } from './byte-streams.js';

export { randomUUID };

/** SHA-256 in hexadecimal. */
export async function digest(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** SubjectPublicKeyInfo of an ed25519 key, which follows (RFC 8410). */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether one signature of a webhook is right, in a time that does not tell how nearly. `v1`: HMAC-SHA256 with a secret; `v1a`: ed25519 with a public key. */
export function isSigned(scheme: 'v1' | 'v1a', key: Uint8Array, content: Uint8Array, signature: string): boolean {
  const given = Buffer.from(signature, 'base64');
  if (scheme === 'v1a')
    return verify(
      null,
      content,
      createPublicKey({ key: Buffer.concat([ED25519, key]), format: 'der', type: 'spki' }),
      given,
    );
  const wanted = createHmac('sha256', key).update(content).digest();
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Faults of the file system pass as they are: `ENOENT` says it best. null for what is no plain file, such as a pipe: it can be read only once. */
export async function openPath(path: string | URL): Promise<Bytes | null> {
  const facts = await stat(path);
  return facts.isFile() ? { sizeBytes: facts.size, open: () => readPath(path), release: async () => undefined } : null;
}

/** Opens the file with the first chunk asked for, and closes it where the reader stops. */
export async function* readPath(path: string | URL): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

/** A stream can be read once, an upload may have to be repeated: its bytes go to a temporary file that only this user can read. */
export async function spool(chunks: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-'));
  const release = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'photo');
  try {
    const sizeBytes = await writeAll(path, chunks, 0o600);
    return { sizeBytes, open: () => readPath(path), release };
  } catch (fault) {
    await release();
    throw fault;
  }
}

/** Puts a file in its place once it is whole: until then it has another name, and a broken one leaves nothing. */
export async function saveWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    const sizeBytes = await writeAll(unfinished, chunks, 0o666);
    await rename(unfinished, path);
    return sizeBytes;
  } catch (fault) {
    await rm(unfinished, { force: true });
    throw fault;
  }
}

async function writeAll(path: string, chunks: AsyncIterable<Uint8Array>, mode: number): Promise<number> {
  const file = await open(path, 'wx', mode);
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      sizeBytes += chunk.byteLength;
    }
  } finally {
    await file.close();
  }
  return sizeBytes;
}
