import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { detectImageFormat, FORMAT_SIGNATURE_BYTES } from '../../core/images/image-format.js';
import { refuseFewerThanAnnounced, refuseMoreThanAnnounced } from '../../core/images/upload-faults.js';

interface IntakeLimits {
  readonly maxBytes: number;
  /** As announced in the request for the address; null: not announced. */
  readonly announcedBytes: number | null;
  /** Longest silence of the sender. */
  readonly idleMs: number;
}

export interface Intake {
  readonly sizeBytes: number;
  /** Hex, lower case. */
  readonly sha256: string;
  readonly head: Uint8Array;
}

/**
 * Passes a body on to `write`, chunk by chunk and never more than one in memory, and judges it on the way.
 * `image.too_large` at the limit, `upload.signature` at the first byte beyond the announced ones or where some are missing,
 * `image.type` with the first bytes, `upload.incomplete`, `request.timeout`.
 * After a refusal the stream is left as it is: the caller deals with the rest.
 */
export async function takeBody(
  body: Readable,
  limits: IntakeLimits,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Intake> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  for await (const chunk of chunksOf(body, limits.idleMs)) {
    sizeBytes += chunk.length;
    if (sizeBytes > limits.maxBytes) throw tooLarge(limits.maxBytes);
    refuseMoreThanAnnounced(limits.announcedBytes, sizeBytes);
    if (head.length < FORMAT_SIGNATURE_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, FORMAT_SIGNATURE_BYTES - head.length)]);
      if (head.length === FORMAT_SIGNATURE_BYTES) refuseUnknown(head);
    }
    hash.update(chunk);
    await write(chunk);
  }
  refuseUnknown(head);
  refuseFewerThanAnnounced(limits.announcedBytes, sizeBytes);
  return { sizeBytes, sha256: hash.digest('hex'), head };
}

export function tooLarge(maxBytes: number): SuturaError {
  return new SuturaError('image.too_large', {
    detail: `The photo is over the limit of ${maxBytes} bytes. Upload a smaller file.`,
  });
}

function refuseUnknown(head: Uint8Array): void {
  if (detectImageFormat(head) === null) throw new SuturaError('image.type');
}

/** The chunks of a stream; a broken stream and a silent one end in their named errors. Does not destroy the stream: the answer still needs its socket. */
async function* chunksOf(body: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    for (;;) {
      const step = await within(chunks.next(), idleMs);
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    // May never settle if the sender stalls; nothing depends on it.
    chunks.return?.().catch(() => undefined);
  }
}

function within<T>(step: Promise<T>, idleMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SuturaError('request.timeout')), idleMs);
    step.then(resolve, () => reject(new SuturaError('upload.incomplete'))).finally(() => clearTimeout(timer));
  });
}
