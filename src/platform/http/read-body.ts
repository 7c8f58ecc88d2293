import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { BodyShare } from './body-budget.js';
import type { ContentCoding } from './content-coding.js';

export interface BodyLimits {
  /** Bytes of the body, as sent and once unpacked. */
  readonly limitBytes: number;
  readonly timeoutMs: number;
  /** The announced Content-Length, if any: that of the body as sent. */
  readonly announcedBytes?: number | undefined;
  /** Default: `identity`. */
  readonly coding?: ContentCoding;
  /** The budget that the unpacked bytes count against, if any. */
  readonly share?: Pick<BodyShare, 'admit' | 'add'> | undefined;
}

/** From this size on, joining the pieces of a body takes milliseconds at once and twice its memory. */
const LARGE_BYTES = 1024 * 1024;
/** By how much the place of a body of unknown length grows. */
const GROWTH = 8;
/** Bytes unpacked at once, in a thread of Node's pool. */
const UNPACKED_BYTES = 64 * 1024;

/**
 * A body of announced length. Each piece is written to its place as it comes, and pages that are not written take no
 * memory.
 */
class Whole {
  private readonly buffer: Buffer;
  private filled = 0;

  constructor(length: number) {
    this.buffer = Buffer.allocUnsafeSlow(length);
  }

  add(piece: Buffer): void {
    this.filled += piece.copy(this.buffer, this.filled);
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.filled);
  }
}

/** A body of unknown length: pieces at first, then a buffer that grows eightfold, so that few bytes are copied again, and few at once. */
class Pieces {
  private readonly pieces: Buffer[] = [];
  private length = 0;
  private capacity = LARGE_BYTES;
  private whole: Whole | null = null;

  constructor(private readonly limitBytes: number) {}

  add(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > this.capacity) this.grow();
    if (this.whole === null) this.pieces.push(piece);
    else this.whole.add(piece);
  }

  bytes(): Buffer {
    return this.whole?.bytes() ?? Buffer.concat(this.pieces);
  }

  private grow(): void {
    while (this.capacity < this.length) this.capacity *= GROWTH;
    const larger = new Whole(Math.min(this.capacity, this.limitBytes));
    for (const one of this.whole === null ? this.pieces.splice(0) : [this.whole.bytes()]) larger.add(one);
    this.whole = larger;
  }
}

/** `request.too_large`, with the limit. */
function overLimit(limitBytes: number): SuturaError {
  const limit = limitBytes % 1024 === 0 ? `${limitBytes / 1024} KiB` : `${limitBytes} bytes`;
  return new SuturaError('request.too_large', {
    detail: `The request body is over its limit of ${limit}. Send less; photos go to the signed upload URL.`,
  });
}

/**
 * Collects a request body, unpacked. `request.too_large` at the limit, without reading or unpacking on;
 * `request.timeout` for a slow sender; `request.invalid` if the connection broke off, the length differs from the
 * announced one, or the body is not packed as it says; `service.busy` if `share` has no room.
 */
export async function readBody(stream: Readable, limits: BodyLimits): Promise<Buffer> {
  if ((limits.announcedBytes ?? 0) > limits.limitBytes) throw overLimit(limits.limitBytes);
  limits.share?.admit(limits.announcedBytes ?? 0);
  return limits.coding === 'gzip' ? readPacked(stream, limits) : collect(stream, limits);
}

function collect(stream: Readable, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collected =
      limits.announcedBytes !== undefined && limits.announcedBytes >= LARGE_BYTES
        ? new Whole(limits.announcedBytes)
        : new Pieces(limits.limitBytes);
    let received = 0;
    const timer = setTimeout(() => settle(() => reject(new SuturaError('request.timeout'))), limits.timeoutMs);
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      outcome();
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > limits.limitBytes) return settle(() => reject(overLimit(limits.limitBytes)));
      try {
        limits.share?.add(chunk.length);
      } catch (fault) {
        return settle(() => reject(fault as Error));
      }
      collected.add(chunk);
    };
    const onBroken = (thrown?: unknown): void =>
      settle(() => reject(thrown instanceof SuturaError ? thrown : brokenBody()));
    const onEnd = (): void => {
      const complete = limits.announcedBytes === undefined || limits.announcedBytes === received;
      settle(() => (complete ? resolve(collected.bytes()) : reject(brokenBody())));
    };
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** Counts the unpacked bytes as they come, so that a decompression bomb is refused at the limit. */
async function readPacked(
  stream: Readable,
  { limitBytes, timeoutMs, announcedBytes, share }: BodyLimits,
): Promise<Buffer> {
  const unpacking = createGunzip({ chunkSize: UNPACKED_BYTES });
  const source = new PackedSource(stream, unpacking, limitBytes);
  try {
    const bytes = await collect(unpacking, { limitBytes, timeoutMs, share });
    source.refuseRest(announcedBytes);
    return bytes;
  } catch (error) {
    throw source.isUnreadable(error) ? notPacked() : error;
  } finally {
    source.letGo();
  }
}

/** Feeds a packed body into `unpacking`, and ends it if the body does not arrive or is too long as sent. */
class PackedSource {
  private received = 0;
  private unreadable = false;

  constructor(
    private readonly stream: Readable,
    private readonly unpacking: Gunzip,
    private readonly limitBytes: number,
  ) {
    // Bytes that are not gzip are the sender's fault, as is a body that ends too soon.
    unpacking.on('error', (error) => (this.unreadable = !(error instanceof SuturaError)));
    stream.on('data', this.onData).on('error', this.onBroken).on('close', this.onBroken);
    stream.pipe(unpacking);
  }

  isUnreadable(error: unknown): boolean {
    return this.unreadable && error instanceof SuturaError && error.code === 'request.invalid';
  }

  /** `request.invalid` for bytes behind the end, and for another length than the announced one. */
  refuseRest(announcedBytes: number | undefined): void {
    if (announcedBytes !== undefined && announcedBytes !== this.received) throw brokenBody();
    if (this.unpacking.bytesWritten < this.received) throw notPacked();
  }

  letGo(): void {
    this.stream.off('data', this.onData).off('error', this.onBroken).off('close', this.onBroken).unpipe(this.unpacking);
    this.unpacking.destroy();
  }

  private readonly onData = (chunk: Buffer): void => {
    this.received += chunk.length;
    if (this.received > this.limitBytes) this.unpacking.destroy(overLimit(this.limitBytes));
  };

  private readonly onBroken = (): void => {
    if (!this.stream.readableEnded) this.unpacking.destroy(brokenBody());
  };
}

function brokenBody(): SuturaError {
  return new SuturaError('request.invalid', { detail: 'The body did not arrive completely. Send the request again.' });
}

function notPacked(): SuturaError {
  return new SuturaError('request.invalid', {
    detail: 'The body is not gzip, as its Content-Encoding says, or ends too soon. Pack it again, or send it as it is.',
  });
}
