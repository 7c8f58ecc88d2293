import type { Readable } from 'node:stream';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { BodyShare } from './body-budget.js';

export interface BodyLimits {
  readonly limitBytes: number;
  readonly timeoutMs: number;
  /** The Content-Length that was announced, if any. */
  readonly announcedBytes?: number | undefined;
  /** What the bytes count against; absent: nothing. */
  readonly share?: Pick<BodyShare, 'admit' | 'add'> | undefined;
}

/** From here on joining the pieces of a body takes milliseconds at once, and its memory twice. */
const LARGE_BYTES = 1024 * 1024;

/** A body of announced length, each piece put in its place as it comes. What does not come takes no memory: pages count once they are written. */
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

class Pieces {
  private readonly pieces: Buffer[] = [];

  add(piece: Buffer): void {
    this.pieces.push(piece);
  }

  bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

/**
 * Collects a request body. `request.too_large` at the limit, without reading on; `request.timeout` for a slow sender;
 * `request.invalid` where the connection broke off or the length differs from what was announced; `service.busy` where `share` has no room.
 */
export async function readBody(stream: Readable, limits: BodyLimits): Promise<Buffer> {
  if ((limits.announcedBytes ?? 0) > limits.limitBytes) throw new SuturaError('request.too_large');
  limits.share?.admit(limits.announcedBytes ?? 0);
  return collect(stream, limits);
}

function collect(stream: Readable, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const collected = limits.announcedBytes !== undefined && limits.announcedBytes >= LARGE_BYTES ? new Whole(limits.announcedBytes) : new Pieces();
    let received = 0;
    const timer = setTimeout(() => settle(() => reject(new SuturaError('request.timeout'))), limits.timeoutMs);
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      outcome();
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > limits.limitBytes) return settle(() => reject(new SuturaError('request.too_large')));
      try {
        limits.share?.add(chunk.length);
      } catch (fault) {
        return settle(() => reject(fault as Error));
      }
      collected.add(chunk);
    };
    const onBroken = (): void => settle(() => reject(brokenBody()));
    const onEnd = (): void => {
      const complete = limits.announcedBytes === undefined || limits.announcedBytes === received;
      settle(() => (complete ? resolve(collected.bytes()) : reject(brokenBody())));
    };
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function brokenBody(): SuturaError {
  return new SuturaError('request.invalid', { detail: 'The body did not arrive completely. Send the request again.' });
}
