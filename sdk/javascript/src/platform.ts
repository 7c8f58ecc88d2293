import { type Bytes, chunksOf, pieces, refuseEarly } from './byte-streams.js';
import type { BlobLike, PhotoFile, ReadableStreamLike } from './options.js';
import type { ClientSettings, FetchResponse } from './settings.js';
import type { OutgoingBody } from './upload-body.js';

// What differs between Node.js (Bun, Deno) and a browser; the build for browsers takes platform.web.ts in its place.

export const USER_AGENT = 'sutura-sdk-js/0.1.0';
/** With every request that has the key. */
export const OWN_HEADERS: Readonly<Record<string, string>> = { 'user-agent': USER_AGENT };

type NodeTools = typeof import('./node-tools.mjs');
/** In a browser a signature is checked by Web Crypto, which answers later. */
type Tools = Omit<NodeTools, 'isSigned'> & {
  isSigned(...args: Parameters<NodeTools['isSigned']>): boolean | Promise<boolean>;
};

/** Of every request but an upload. */
export const FETCH_OPTIONS: Readonly<Record<string, string>> = {};

/** For paths, streams and digests; loaded when needed. */
export const loadTools = (): Promise<Tools> => import('./node-tools.mjs');

/** Whether a key may be here: on a server any. */
export function requireMayHold(_key: string, _isToldTo: boolean | undefined): void {}

/** Whether answers can be saved to a path, as they can here. */
export function requireFiles(): void {}

/**
 * A stream that fetch might have to send again, to where a redirect leads, it keeps whole in memory. It does not where a redirect
 * is an error and there is no window that could ask for a password (Fetch, HTTP-network-or-cache fetch, step 5).
 */
const ONCE = { duplex: 'half', redirect: 'error', window: null } as const;
/** Node.js before 18.20 says of no fault what it was, so that a redirect could not be told from an outage: there the copy is put up with. */
const TELLS_WHY = typeof process === 'undefined' || !/^18\.1?\d\./.test(process.versions?.node ?? '');
const STREAMED = TELLS_WHY ? ONCE : ({ duplex: 'half', redirect: 'manual' } as const);

/** Sends a photo piece by piece. */
export function sendUpload(
  settings: ClientSettings,
  url: string,
  init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  body: OutgoingBody,
): Promise<FetchResponse> {
  return settings.fetch(url, { ...init, body: body.stream, ...STREAMED });
}

function pathOf(file: PhotoFile): string | URL | undefined {
  const address = typeof file === 'string' ? file : isObject(file) && 'protocol' in file ? file.href : '';
  if (/^(https?|data|blob):/i.test(address))
    throw new TypeError(
      'file is a web or data address, which this library does not fetch. Give a path, or what fetch answers: (await fetch(address)).body.',
    );
  if (typeof file === 'string') return file;
  return isObject(file) && 'protocol' in file && file.protocol === 'file:' ? new URL(file.href) : undefined;
}

/** Whatever the caller calls a file. */
export async function openBytes(file: PhotoFile): Promise<Bytes> {
  const tools = await loadTools();
  const path = pathOf(file);
  if (path !== undefined) return (await tools.openPath(path)) ?? tools.spool(refuseEarly(tools.readPath(path)));
  if (file instanceof Uint8Array) return inMemory(file);
  if (file instanceof ArrayBuffer) return inMemory(new Uint8Array(file));
  if (isObject(file) && isBlob(file))
    return { sizeBytes: file.size, open: () => pieces(chunksOf(file.stream())), release };
  if (isObject(file) && isStream(file)) return tools.spool(refuseEarly(chunksOf(file)));
  throw new TypeError('file must be a path, bytes, a Blob or a stream of bytes.');
}

async function release(): Promise<void> {}

const isObject = (file: unknown): file is object => typeof file === 'object' && file !== null;
const isBlob = (file: object): file is BlobLike => 'size' in file && 'stream' in file;
const isStream = (file: object): file is ReadableStreamLike | AsyncIterable<Uint8Array> =>
  'getReader' in file || Symbol.asyncIterator in file;

function inMemory(bytes: Uint8Array): Bytes {
  return { sizeBytes: bytes.byteLength, open: () => pieces([bytes]), release };
}
