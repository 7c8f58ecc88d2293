import { UnsupportedImageError } from './errors.js';

export const HEAD_BYTES = 12;
const PIECE_BYTES = 65_536;

/** Bytes that are there as often as they are asked for. */
export interface Bytes {
  readonly sizeBytes: number;
  /** The same bytes, where the platform sends such as they are. */
  readonly blob?: unknown;
  open(): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
}

/** In pieces small enough to tell progress, and silence, by. */
export async function* pieces(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
export async function* refuseEarly(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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

export function joined(head: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...head, ...chunk.subarray(0, HEAD_BYTES - head.length)]);
}

/** JPEG ITU-T T.81 B.1.1.3 (SOI), PNG ISO/IEC 15948 5.2, WebP RFC 9649 2.4. */
export function contentTypeOf(head: Uint8Array): string {
  const text = String.fromCharCode(...head);
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
  const heic = text.startsWith('ftyp', 4) ? ' It looks like HEIC: export it as JPEG.' : '';
  throw new UnsupportedImageError(`The file is no JPEG, PNG or WebP; nothing was sent.${heic}`, { code: 'image.type' });
}
