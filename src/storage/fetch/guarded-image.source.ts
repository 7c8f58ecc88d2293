import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { RemoteImageSource } from '../../core/remote-images/remote-image.source.js';
import type { AddressGuard } from '../../platform/http-client/address-guard.js';

export interface FetchRules {
  readonly guard: AddressGuard;
  /** For one photo, redirects included. */
  readonly timeoutMs: number;
  /** Certificates to trust beside the system's. */
  readonly ca?: string;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Statuses that a repeat does not change. */
const NOT_THERE = [401, 403, 404, 410];
const HTTPS_PORT = '443';

/** Fetches photos over https from listed hosts only. Each redirect is checked like a new address. */
export class GuardedImageSource extends RemoteImageSource {
  constructor(private readonly rules: FetchRules) {
    super();
  }

  check(url: string, hosts: readonly string[]): void {
    this.admit(url, hosts);
  }

  async fetch(url: string, hosts: readonly string[], maxBytes: number): Promise<Uint8Array> {
    const deadline = AbortSignal.timeout(this.rules.timeoutMs);
    let target = this.admit(url, hosts);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.ask(target, deadline);
      if (!REDIRECTS.includes(answer.statusCode ?? 0)) return collect(answer, maxBytes);
      answer.destroy();
      if (redirects === MAX_REDIRECTS) throw refused('The address redirects more than three times.');
      target = this.admit(new URL(answer.headers.location ?? '', target).href, hosts);
    }
  }

  private admit(text: string, hosts: readonly string[]): URL {
    const url = URL.parse(text);
    if (url?.protocol !== 'https:') throw refused();
    if (url.username !== '' || url.password !== '')
      throw refused('An address with a user name or password is not fetched.');
    const host = url.hostname.toLowerCase();
    const port = url.port === '' ? HTTPS_PORT : url.port;
    const listed = hosts.some(
      (entry) => `${host}:${port}` === (entry.includes(':') ? entry : `${entry}:${HTTPS_PORT}`).toLowerCase(),
    );
    if (!listed) throw refused();
    return url;
  }

  private async ask(url: URL, deadline: AbortSignal): Promise<IncomingMessage> {
    const admitted = await this.rules.guard.admit(url.hostname.replace(/^\[|\]$/g, ''));
    if (admitted === null) throw refused('The host of the address lies in a network that is not asked.');
    return new Promise((resolve, reject) => {
      const asked = request(url, {
        // A connection of its own: a kept one would skip the guard.
        agent: false,
        lookup: admitted.lookup,
        signal: deadline,
        headers: { accept: 'image/jpeg, image/png, image/webp', 'accept-encoding': 'identity' },
        ...(this.rules.ca === undefined ? {} : { ca: this.rules.ca }),
      });
      asked.on('response', resolve);
      asked.on('error', reject);
      asked.end();
    });
  }
}

async function collect(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    if (NOT_THERE.includes(answer.statusCode ?? 0))
      throw Object.assign(
        new SuturaError('image.unavailable', {
          detail: `The host answers ${answer.statusCode}: there is no such photo, or not for this service.`,
        }),
        { status: answer.statusCode },
      );
    if (answer.statusCode !== 200)
      throw Object.assign(new Error('The host did not answer with the photo.'), { status: answer.statusCode });
    if (!['identity', undefined].includes(answer.headers['content-encoding']))
      throw new Error('The answer is encoded.');
    if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw new SuturaError('image.too_large');
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new SuturaError('image.too_large');
      chunks.push(chunk);
    }
    if (!answer.complete) throw new Error('The answer ended early.');
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks, sizeBytes);
}

function refused(detail?: string): SuturaError {
  return new SuturaError('fhir.url_refused', detail === undefined ? {} : { detail });
}
