import { type Bytes, contentTypeOf, HEAD_BYTES, joined } from './byte-streams.js';
import type { PhotoFile } from './options.js';
import { loadTools, openBytes } from './platform.js';

/** A photo that can be read as often as an upload has to be repeated. */
export interface Photo extends Bytes {
  readonly contentType: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Opens whatever the caller calls a file. UnsupportedImageError where its first bytes are not those of a JPEG, PNG or WebP. */
export async function openPhoto(file: PhotoFile): Promise<Photo> {
  const bytes = await openBytes(file);
  try {
    const contentType = await readType(bytes.open());
    const { digest } = await loadTools();
    return { ...bytes, contentType, sha256: await digest(bytes.open()) };
  } catch (fault) {
    await bytes.release();
    throw fault;
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
