import type { Readable } from 'node:stream';
import { SuturaError } from '../../core/errors/sutura-error.js';

export interface BodyLimits {
  readonly limitBytes: number;
  readonly timeoutMs: number;
  /** The Content-Length that was announced, if any. */
  readonly announcedBytes?: number | undefined;
}

/**
 * Collects a request body. `request.too_large` at the limit, without reading on; `request.timeout` for a slow sender;
 * `request.invalid` where the connection broke off or the length differs from what was announced.
 */
export function readBody(stream: Readable, limits: BodyLimits): Promise<Buffer> {
  if ((limits.announcedBytes ?? 0) > limits.limitBytes) return Promise.reject(new SuturaError('request.too_large'));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
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
      chunks.push(chunk);
    };
    const onBroken = (): void => settle(() => reject(brokenBody()));
    const onEnd = (): void => {
      const complete = limits.announcedBytes === undefined || limits.announcedBytes === received;
      settle(() => (complete ? resolve(Buffer.concat(chunks, received)) : reject(brokenBody())));
    };
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function brokenBody(): SuturaError {
  return new SuturaError('request.invalid', { detail: 'The body did not arrive completely. Send the request again.' });
}
