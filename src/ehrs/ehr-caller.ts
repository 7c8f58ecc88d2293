import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isOfEhr, parsedAddress } from '../core/ehrs/ehr-addresses.js';
import type { Ehr } from '../core/ehrs/ehr.js';
import type { AddressGuard, AdmittedHost } from '../platform/http-client/address-guard.js';

export interface EhrCallRules {
  /** Opens the networks of SUTURA_EHR_NETWORKS beside the public internet. */
  readonly guard: AddressGuard;
  /** From the look-up of the name to the last byte that is read. */
  readonly timeoutMs: number;
  /** Of the body of an answer. */
  readonly limitBytes: number;
  /** Certificates of authorities to trust in place of the system's, in PEM. */
  readonly ca?: string;
}

export interface EhrCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Of the EHR's own origin, or one of those that its registration names. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Replace those of the rules. */
  readonly timeoutMs?: number;
  readonly limitBytes?: number;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

export interface EhrAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The EHR gave no whole answer. `fault` is a code without the address: `address_refused`, `no_address`, `unreachable`, `lost`, `timeout`, `broken_off`, `too_large`. */
export class NoEhrAnswerError extends Error {
  constructor(
    readonly fault: string,
    /** Whether the EHR may have received the request. */
    readonly mayHaveArrived: boolean,
  ) {
    super(fault);
  }
}

interface Attempt extends EhrCall {
  readonly target: URL;
  readonly host: AdmittedHost;
  /** On this process's own clock (`performance.now()`). */
  readonly untilMs: number;
  readonly limitBytes: number;
}

/**
 * The only way by which anything of an EHR is asked: its FHIR server, its authorization and token endpoints, its keys. Each call is one request on a
 * connection of its own, to an address that was checked for this call, without redirects.
 */
export class EhrCaller {
  constructor(private readonly rules: EhrCallRules) {}

  /** False for an address whose network is never called. A name that does not resolve now is accepted: it may later. */
  async mayCall(address: string): Promise<boolean> {
    const url = parsedAddress(address);
    if (url === null || !isOfWeb(url)) return false;
    return (await this.hostOf(url).catch(() => undefined)) !== null;
  }

  /** NoEhrAnswerError where there was no whole answer. Every status is an answer, redirects too. */
  async ask(ehr: Pick<Ehr, 'fhirBaseUrl' | 'origins'>, call: EhrCall): Promise<EhrAnswer> {
    const { timeoutMs = this.rules.timeoutMs, limitBytes = this.rules.limitBytes } = call;
    const untilMs = performance.now() + timeoutMs;
    const target = isOfEhr(ehr, call.url) ? new URL(call.url) : null;
    if (target === null || !isOfWeb(target)) throw new NoEhrAnswerError('address_refused', false);
    const host = await this.hostOf(target).catch((error: unknown) => {
      throw new NoEhrAnswerError(`no_address${codeOf(error)}`, false);
    });
    if (host === null) throw new NoEhrAnswerError('address_refused', false);
    return this.send({ ...call, target, host, untilMs, limitBytes });
  }

  private async send(attempt: Attempt): Promise<EhrAnswer> {
    const { target, host, method, headers, body, signal } = attempt;
    const isTls = target.protocol === 'https:';
    const progress = { sent: false, isLate: false };
    let leave: (() => void) | undefined;
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        if (signal?.aborted === true) throw new Error('aborted');
        const asked = (isTls ? requestHttps : requestHttp)(target, {
          method,
          // A connection of its own: a kept one would skip the guard.
          agent: false,
          lookup: host.lookup,
          headers: { 'accept-encoding': 'identity', ...headers, ...lengthOf(body) },
          ...(this.rules.ca === undefined ? {} : { ca: this.rules.ca }),
        });
        leave = endWith(asked, attempt, () => (progress.isLate = true));
        asked.on('socket', (socket) => socket.once(isTls ? 'secureConnect' : 'connect', () => (progress.sent = true)));
        asked.on('response', resolve);
        asked.on('upgrade', (_answer, socket) => {
          socket.destroy();
          reject(new Error('upgraded'));
        });
        asked.on('error', reject);
        // Without this, a connection that closes without an error would never settle.
        asked.on('close', () => reject(new Error('closed')));
        asked.end(body);
      });
      const read = await collect(answer, attempt.limitBytes);
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: read };
    } catch (error) {
      if (error instanceof NoEhrAnswerError) throw error;
      if (progress.isLate) throw new NoEhrAnswerError('timeout', progress.sent);
      if (signal?.aborted === true) throw new NoEhrAnswerError('broken_off', progress.sent);
      throw new NoEhrAnswerError(`${progress.sent ? 'lost' : 'unreachable'}${codeOf(error)}`, progress.sent);
    } finally {
      leave?.();
    }
  }

  private hostOf({ protocol, hostname }: URL): ReturnType<AddressGuard['admit']> {
    // Without TLS only inside a network that the operator opened.
    return this.rules.guard.admit(hostname.replace(/^\[|\]$/g, ''), protocol === 'https:' ? 'public' : 'opened');
  }
}

function isOfWeb({ protocol, username, password }: URL): boolean {
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function lengthOf(body: EhrCall['body']): Readonly<Record<string, string>> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

/** Ends the request on time-out or abort, until the returned function is called. */
function endWith(asked: ClientRequest, { untilMs, signal }: Attempt, onLate: () => void): () => void {
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

async function collect(answer: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) throw new NoEhrAnswerError('too_large', true);
      chunks.push(chunk);
    }
    if (!answer.complete) throw new NoEhrAnswerError('lost', true);
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks, sizeBytes);
}

/** A code of Node.js or OpenSSL, which reveals neither the address nor the certificate. */
function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code) ? ` ${code}` : '';
}
