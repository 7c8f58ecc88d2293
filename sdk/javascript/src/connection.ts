import { CallersFault } from './callers-fault.js';
import { MalformedResponseError, NetworkError, RequestTimeoutError, SuturaError } from './errors.js';
import type { AbortSignalLike } from './options.js';
import { FETCH_OPTIONS, OWN_HEADERS, sendUpload } from './platform.js';
import { factsOf, toError } from './problem.js';
import { withRetries } from './retry.js';
import type { ClientSettings, FetchResponse } from './settings.js';
import { throwIfAborted } from './time.js';
import type { OutgoingBody } from './upload-body.js';
import { Watch } from './watch.js';

export interface OutgoingRequest {
  readonly method: string;
  /** Below the base URL; or `url`. */
  readonly path?: string;
  /** Goes there as it is, and without the key unless `withKey`. */
  readonly url?: string;
  readonly withKey?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: () => OutgoingBody;
  /** Statuses besides 2xx that are no error. */
  readonly accept?: readonly number[];
  /** Likewise, of a repeat: an earlier attempt did it, and its answer was lost. */
  readonly acceptRepeated?: number;
  /** A second one does harm where the first may have been carried out. */
  readonly once?: boolean;
  readonly signal?: AbortSignalLike | undefined;
  readonly timeoutMs?: number;
}

/** Makes of a success what the caller gets. */
export type Reader<T> = (response: FetchResponse, watch: Watch) => Promise<T>;

/** Sends requests. The only place that knows the key. */
export class Connection {
  readonly #apiKey: string;

  constructor(
    readonly settings: ClientSettings,
    apiKey: string,
  ) {
    this.#apiKey = apiKey;
  }

  /** Sends until it succeeds or may not be repeated. */
  send<T>(request: OutgoingRequest, read: Reader<T>): Promise<T> {
    return withRetries(
      this.settings,
      request.signal,
      (failures) => this.sendOnce(request, read, failures),
      request.once,
    );
  }

  async sendOnce<T>(request: OutgoingRequest, read: Reader<T>, failures = 0): Promise<T> {
    throwIfAborted(request.signal);
    const { time, timeoutMs } = this.settings;
    const watch = new Watch(request.signal, request.timeoutMs ?? timeoutMs);
    const body = request.body?.();
    body?.onChunk(() => watch.refresh());
    const startedMs = time.now();
    const log = (outcome: Record<string, unknown>): void =>
      this.#log(request, { ...outcome, attempt: failures + 1, durationMs: Math.round(time.now() - startedMs) });
    try {
      const response = await this.#fetch(request, body, watch);
      const { status } = response;
      log({ status, requestId: response.headers.get('x-request-id') ?? undefined });
      const isWelcome =
        (status >= 200 && status < 300) ||
        (request.accept ?? []).includes(status) ||
        (failures > 0 && request.acceptRepeated === status);
      if (!isWelcome) throw await toError(response, time.now());
      return await read(response, watch);
    } catch (fault) {
      const named = body?.fault ?? this.#name(fault, request, watch);
      if (named instanceof CallersFault) throw named.reason;
      if (!(named instanceof SuturaError && named.status !== undefined))
        log({ fault: named instanceof Error ? named.name : 'aborted' });
      throw named;
    } finally {
      watch.release();
      await body?.release();
      // A refusal can come before everything was sent; the rest is not wanted any more.
      if (body?.isSpent === false) watch.end();
    }
  }

  #fetch(request: OutgoingRequest, body: OutgoingBody | undefined, watch: Watch): Promise<FetchResponse> {
    const { method, json, withKey = request.url === undefined } = request;
    const headers: Record<string, string> = { ...request.headers };
    if (withKey) Object.assign(headers, { authorization: `Bearer ${this.#apiKey}`, ...OWN_HEADERS });
    if (json !== undefined) headers['content-type'] = 'application/json';
    const url = this.#urlOf(request);
    const init = { method, headers, signal: watch.signal };
    if (body !== undefined) return sendUpload(this.settings, url, init, body);
    const text = json === undefined ? undefined : JSON.stringify(json);
    return this.settings.fetch(url, { ...FETCH_OPTIONS, ...init, body: text, redirect: 'manual' });
  }

  #urlOf({ url, path = '' }: OutgoingRequest): string {
    return url ?? `${this.settings.baseUrl}${path}`;
  }

  /** Faults of fetch are not passed on as causes: some say the whole address, and an address may be signed. */
  #name(fault: unknown, request: OutgoingRequest, watch: Watch): unknown {
    if (fault instanceof SuturaError || fault instanceof CallersFault) return fault;
    if (request.signal?.aborted) return request.signal.reason;
    const { origin } = new URL(this.#urlOf(request));
    if (watch.isOverdue) return new RequestTimeoutError(`No answer from ${origin} within ${watch.timeoutMs} ms.`);
    if (request.body !== undefined && isRedirect(fault))
      return new MalformedResponseError(
        `${origin} answered the upload with a redirect, and nothing was sent to where it leads. Set the base URL to where the service is.`,
      );
    const { cause, code: own } = (fault ?? {}) as { cause?: { code?: unknown }; code?: unknown };
    const code = [cause?.code, own].find((text): text is string => typeof text === 'string');
    return new NetworkError(
      `No whole answer from ${origin}${code === undefined ? '' : ` (${code})`}. Is the service running there?`,
      { code },
    );
  }

  #log(request: OutgoingRequest, outcome: Record<string, unknown>): void {
    const { logger } = this.settings;
    if (logger === undefined) return;
    // Without the query, which may hold a signature or a patient's number.
    const path = new URL(this.#urlOf(request)).pathname;
    logger.debug(`sutura: ${request.method} ${path}`, { method: request.method, path, ...outcome });
  }

  /** The JSON object of an answer, with the fields that `check` insists on. */
  json<T>(check: (value: Record<string, unknown>) => boolean): Reader<T> {
    return async (response) => {
      const text = await response.text();
      const value = parse(text);
      if (
        value !== null &&
        typeof value === 'object' &&
        !Array.isArray(value) &&
        check(value as Record<string, unknown>)
      )
        return value as T;
      throw this.malformed(response);
    };
  }

  /** The error of an answer that looks like a success and is none of Sutura's. */
  malformed(response: FetchResponse): MalformedResponseError {
    const facts = factsOf(response, this.settings.time.now());
    return new MalformedResponseError(
      `The answer (${response.status}) is not what the service promises. Does the base URL lead to Sutura?`,
      facts,
    );
  }
}

/** No platform gives such a fault a code that others know; an address, which may have the word in it, is left out. */
function isRedirect(fault: unknown): boolean {
  const { message, cause } = (fault ?? {}) as { message?: unknown; cause?: { message?: unknown } };
  return /redirect/i.test(`${String(message)} ${String(cause?.message)}`.replace(/https?:\S+/g, ''));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads an answer to its end, so that its connection can be used again. */
export async function drain(response: FetchResponse): Promise<FetchResponse> {
  await response.text();
  return response;
}
