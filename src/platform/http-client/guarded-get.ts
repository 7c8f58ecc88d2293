import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressGuard } from './address-guard.js';

export interface GetRules {
  readonly guard: AddressGuard;
  readonly timeoutMs: number;
  readonly limitBytes: number;
  /** Certificates to trust beside the system's. */
  readonly ca?: string;
}

export interface GetAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** An https address is asked once: no redirect, no kept connection, only networks that the guard opens. Rejects on any failure. */
export async function guardedGet(url: URL, accept: string, rules: GetRules): Promise<GetAnswer> {
  if (url.protocol !== 'https:') throw new Error('Only https is asked.');
  const admitted = await rules.guard.admit(url.hostname.replace(/^\[|\]$/g, ''));
  if (admitted === null) throw new Error('The host lies in a network that is not asked.');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, {
      // A connection of its own: a kept one would skip the guard.
      agent: false,
      lookup: admitted.lookup,
      signal: AbortSignal.timeout(rules.timeoutMs),
      headers: { accept, 'accept-encoding': 'identity' },
      ...(rules.ca === undefined ? {} : { ca: rules.ca }),
    });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end();
  });
  try {
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await collect(answer, rules.limitBytes) };
  } finally {
    answer.destroy();
  }
}

async function collect(answer: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  if (!answer.complete) throw new Error('The answer ended early.');
  return Buffer.concat(chunks, sizeBytes);
}
