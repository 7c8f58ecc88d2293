import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { AddressGuard, AdmittedHost } from '../../platform/http-client/address-guard.js';
import type { KeptConnections } from './kept-connections.js';
import type { OrganizationNetworks } from './organization-networks.js';

/** Kept of the body of an answer, for people to read. */
const MOST_ANSWER_BYTES = 2048;

export interface CallRules {
  readonly guard: AddressGuard;
  /** From the DNS look-up to the last byte that is read. */
  readonly timeoutMs: number;
  /** Certificates of authorities to trust in place of the system's, in PEM. */
  readonly ca?: string;
}

export interface EndpointCall {
  /** Whose endpoint it is. */
  readonly organizationId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Replaces that of the rules. */
  readonly timeoutMs?: number;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Keep-alive connections of this endpoint; absent: the request opens one of its own. */
  readonly kept?: KeptConnections | undefined;
}

export interface EndpointAnswer {
  readonly status: number;
  /** null: absent, or malformed. */
  readonly retryAfterMs: number | null;
  /** The first 2 KiB of the body. */
  readonly beginning: Buffer;
}

/** There was no answer. `fault` is a code. */
export class NoAnswerError extends Error {
  constructor(
    readonly fault: string,
    readonly mayHaveArrived: boolean,
  ) {
    super(fault);
  }
}

interface Attempt extends EndpointCall {
  readonly target: URL;
  readonly host: AdmittedHost;
  /** On this process's own clock (`performance.now()`). */
  readonly untilMs: number;
}

/** Posts to addresses that callers chose: guarded at each request, without redirects. */
export class EndpointCaller {
  constructor(
    private readonly rules: CallRules,
    private readonly networks: Pick<OrganizationNetworks, 'of'>,
  ) {}

  /** `webhook.url_refused` for an address that is never called for this organization. A name that does not resolve now is accepted. */
  async check(text: string, organizationId: string): Promise<void> {
    const url = admitted(text);
    const host = await this.hostOf(url, organizationId).catch(() => undefined);
    if (host === null) throw new SuturaError('webhook.url_refused');
  }

  /** Rejects with NoAnswerError where there was no answer. */
  async post(call: EndpointCall): Promise<EndpointAnswer> {
    const untilMs = performance.now() + (call.timeoutMs ?? this.rules.timeoutMs);
    const target = URL.parse(call.url);
    if (target === null) throw new NoAnswerError('address_refused', false);
    const host = await this.hostOf(target, call.organizationId).catch((error: unknown) => {
      throw new NoAnswerError(`no_address${codeOf(error)}`, false);
    });
    if (host === null) throw new NoAnswerError('address_refused', false);
    const attempt = { ...call, target, host, untilMs };
    try {
      return await this.ask(attempt);
    } catch (error) {
      if (!(error instanceof EndedBeforeUse)) throw error;
      return this.askAnew(attempt);
    }
  }

  /** A server may close a kept connection just as it is reused: retries on a new one. The first request may have arrived. */
  private async askAnew(attempt: Attempt): Promise<EndpointAnswer> {
    try {
      return await this.ask({ ...attempt, kept: undefined });
    } catch (error) {
      throw error instanceof NoAnswerError ? new NoAnswerError(error.fault, true) : error;
    }
  }

  private async ask({ target, host, body, headers, kept, signal, untilMs }: Attempt): Promise<EndpointAnswer> {
    const isTls = target.protocol === 'https:';
    let [sent, isReused, isLate] = [false, false, false];
    let leave: (() => void) | undefined;
    try {
      return await new Promise<EndpointAnswer>((resolve, reject) => {
        if (signal?.aborted === true) throw new Error('aborted');
        const asked = (isTls ? requestHttps : requestHttp)(target, {
          method: 'POST',
          agent: kept?.agentFor(target.protocol, host.address) ?? false,
          lookup: host.lookup,
          headers: { ...headers, 'content-length': String(body.length) },
          ...(this.rules.ca === undefined ? {} : { ca: this.rules.ca }),
        });
        leave = endWith(asked, signal, untilMs, () => (isLate = true));
        asked.on('socket', (socket) => {
          if (asked.reusedSocket) [sent, isReused] = [true, true];
          else socket.once(isTls ? 'secureConnect' : 'connect', () => (sent = true));
        });
        // The status is the answer: once it is there, nothing that happens to the connection counts.
        let isAnswered = false;
        asked.on('response', (answer) => {
          isAnswered = true;
          void readAnswer(answer).then(resolve, reject);
        });
        asked.on('upgrade', (answer, socket) => {
          socket.destroy();
          resolve({ status: answer.statusCode ?? 0, retryAfterMs: null, beginning: Buffer.alloc(0) });
        });
        asked.on('error', (error) => isAnswered || reject(error));
        // Without this, a connection that closes without an error would never settle.
        asked.on('close', () => isAnswered || reject(new Error('closed')));
        asked.end(body);
      });
    } catch (error) {
      if (isLate) throw new NoAnswerError('timeout', sent);
      if (signal?.aborted === true) throw new NoAnswerError('broken_off', sent);
      if (isReused && CLOSED_CONNECTION.has(codeOf(error))) throw new EndedBeforeUse();
      throw new NoAnswerError(`${sent ? 'lost' : 'unreachable'}${codeOf(error)}`, sent);
    } finally {
      leave?.();
    }
  }

  private hostOf({ protocol, hostname }: URL, organizationId: string): ReturnType<AddressGuard['admit']> {
    // Without TLS only inside a network that the operator opened.
    const reach = protocol === 'https:' ? 'public' : 'opened';
    return this.rules.guard.admit(hostname.replace(/^\[|\]$/g, ''), reach, () => this.networks.of(organizationId));
  }
}

/** Ends the request on time-out or abort, until the returned function is called. Cheaper than AbortSignal.any(). */
function endWith(
  asked: ClientRequest,
  signal: AbortSignal | undefined,
  untilMs: number,
  onLate: () => void,
): () => void {
  const breakOff = (): void => void asked.destroy(new Error('broken off'));
  const timer = setTimeout(() => {
    onLate();
    asked.destroy(new Error('late'));
  }, untilMs - performance.now()).unref();
  signal?.addEventListener('abort', breakOff);
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', breakOff);
  };
}

/** A kept connection was closed before it was reused. */
class EndedBeforeUse extends Error {}

/** As `codeOf` says them. */
const CLOSED_CONNECTION: ReadonlySet<string> = new Set([' ECONNRESET', ' EPIPE']);

function admitted(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.hash === '';
  // The URL parser drops blanks and turns backslashes round: what is stored and shown must be what is called.
  if (
    !isPlain ||
    /[\s\p{Cc}\\]/u.test(text) ||
    !['https:', 'http:'].includes(url.protocol) ||
    CLOSED_PORTS.has(url.port)
  )
    throw new SuturaError('webhook.url_refused');
  return url;
}

/** Ports at which no web server listens, and other protocols do (Fetch Standard, 2.9). */
const CLOSED_PORTS = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161
  179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190
  5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

async function readAnswer(answer: IncomingMessage): Promise<EndpointAnswer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // The status is the answer, even if the body breaks off.
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes >= MOST_ANSWER_BYTES) break;
    }
  } catch (error) {
    if (answer.statusCode === undefined) throw error;
  } finally {
    answer.destroy();
  }
  return {
    status: answer.statusCode ?? 0,
    retryAfterMs: retryAfterOf(answer.headers['retry-after'], Date.now()),
    beginning: Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES),
  };
}

/** Upper bound of Retry-After: the longest pause of the retry schedule. */
const LONGEST_ASKED_MS = 86_400_000;

/** Seconds, or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterOf(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_ASKED_MS) : null;
}

/** A code of Node.js or OpenSSL, which reveals neither the address nor the certificate. */
function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code) ? ` ${code}` : '';
}

const GONE = 410;

/** 2xx: delivered. 410: the receiver wants no more. Anything else is retried. */
export function meaningOf(status: number): 'accepted' | 'transient' | 'rejected' {
  if (status >= 200 && status < 300) return 'accepted';
  return status === GONE ? 'rejected' : 'transient';
}
