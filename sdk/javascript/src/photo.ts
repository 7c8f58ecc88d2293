import { UnsupportedImageError } from './errors.js';
import type { BlobLike, PhotoFile, ReadableStreamLike } from './options.js';

const HEAD_BYTES = 12;
const PIECE_BYTES = 65_536;

/** A photo that can be read as often as an upload has to be repeated. */
export interface Photo {
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  open(): AsyncIterable<Uint8Array>;
  /** Removes what was made for it. */
  release(): Promise<void>;
}

/** Bytes that are there as often as they are asked for. */
export interface Bytes {
  readonly sizeBytes: number;
  open(): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
}

/** For paths, streams and digests; loaded when needed, so that a bundle for elsewhere can do without. */
export const loadNodeTools = () => import('./node-tools.mjs');

/** Opens whatever the caller calls a file. UnsupportedImageError where its first bytes are not those of a JPEG, PNG or WebP. */
export async function openPhoto(file: PhotoFile): Promise<Photo> {
  const bytes = await openBytes(file);
  try {
    const contentType = await readType(bytes.open());
    const { digest } = await loadNodeTools();
    return { ...bytes, contentType, sha256: await digest(bytes.open()) };
  } catch (fault) {
    await bytes.release();
    throw fault;
  }
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

async function openBytes(file: PhotoFile): Promise<Bytes> {
  const tools = await loadNodeTools();
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

/** In pieces small enough to tell progress, and silence, by. */
async function* pieces(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** Every kind of stream as one; whoever stops early closes it. */
export async function* chunksOf(stream: unknown): AsyncGenerator<Uint8Array> {
  if (stream === null || stream === undefined) return;
  if (!('getReader' in (stream as object))) {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) yield checked(chunk);
    return;
  }
  const reader = (stream as ReadableStream).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield checked(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function checked(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError('The stream gives something else than bytes. Open it without an encoding.');
}

/** Passes a stream on, unless it begins like no photo: an endless one would otherwise fill the disk. */
async function* refuseEarly(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | null = new Uint8Array();
  for await (const chunk of chunks) {
    head = head === null ? null : joined(head, chunk);
    if (head !== null && head.length === HEAD_BYTES) {
      contentTypeOf(head);
      head = null;
    }
    yield chunk;
  }
}

async function readType(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let head = new Uint8Array();
  for await (const chunk of chunks) {
    head = joined(head, chunk);
    if (head.length === HEAD_BYTES) break;
  }
  return contentTypeOf(head);
}

function joined(head: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...head, ...chunk.subarray(0, HEAD_BYTES - head.length)]);
}

/** JPEG ITU-T T.81 B.1.1.3 (SOI), PNG ISO/IEC 15948 5.2, WebP RFC 9649 2.4. */
function contentTypeOf(head: Uint8Array): string {
  const text = String.fromCharCode(...head);
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
  const heic = text.startsWith('ftyp', 4) ? ' It looks like HEIC: export it as JPEG.' : '';
  throw new UnsupportedImageError(`The file is no JPEG, PNG or WebP; nothing was sent.${heic}`, { code: 'image.type' });
}
