import type { ErrorCode } from '../../../src/core/errors/catalogue.js';

/** Of docs/errors.md; `network` without an answer, `http.…` where something between answered. */
export type RefusalCode = ErrorCode | 'network' | `http.${number}`;

/** A refusal of the gateway (RFC 9457), or that it was not reached at all. */
export class Refusal extends Error {
  /** HTTP status; 0: there was no answer. */
  readonly status: number;
  readonly code: RefusalCode;
  readonly title: string;
  /** What happened and what to do next. */
  readonly detail: string;
  /** To be told to support. */
  readonly requestId: string | null;
  /** The fields at fault. */
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  /** After how many seconds to ask again. */
  readonly retryAfterS: number | null;
  /** Everything that the refusal says. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(facts: Omit<Refusal, keyof Error>) {
    super(facts.detail);
    this.status = facts.status;
    this.code = facts.code;
    this.title = facts.title;
    this.detail = facts.detail;
    this.requestId = facts.requestId;
    this.errors = facts.errors;
    this.retryAfterS = facts.retryAfterS;
    this.members = facts.members;
  }
}

export interface Answer<T> {
  readonly data: T;
  /** The version that was read, for `ifMatch` of a change. */
  readonly etag: string | null;
  readonly status: number;
}

export interface Ask {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, as JSON that a person wrote. */
  readonly text?: string;
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sent even if the page goes meanwhile. */
  readonly keepalive?: boolean;
  /** After so long without the whole answer, the gateway counts as not reached. */
  readonly timeoutMs?: number;
}

let csrfToken: string | null = null;

/** The token that each change of this session needs; null after a logout. */
export function rememberCsrfToken(token: string | null): void {
  csrfToken = token;
}

/**
 * One request to the gateway that served this page, by its session cookie. Throws Refusal.
 *
 * @param path from the root of the gateway, with its query
 */
export async function ask<T>(method: string, path: string, options: Ask = {}): Promise<Answer<T>> {
  const { signal, timeoutMs } = options;
  const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const ends = [signal, late].filter((one) => one !== undefined);
  try {
    const reply = await send(method, path, {
      ...options,
      ...(ends.length === 0 ? {} : { signal: AbortSignal.any(ends) }),
    });
    if (!reply.ok) throw await readRefusal(reply);
    const isJson = /[/+]json\b/.test(reply.headers.get('content-type') ?? '');
    const data = (reply.status === 204 ? undefined : isJson ? await reply.json() : await reply.text()) as T;
    return { data, etag: reply.headers.get('etag'), status: reply.status };
  } catch (fault) {
    if (late?.aborted === true && signal?.aborted !== true && !(fault instanceof Refusal)) throw notReached();
    throw fault;
  }
}

/** As `ask`, for bytes: a photo or a picture. */
export async function askBlob(path: string, options: Ask = {}): Promise<Blob> {
  const reply = await send('GET', path, options);
  if (!reply.ok) throw await readRefusal(reply);
  return reply.blob();
}

async function send(
  method: string,
  path: string,
  { body, text, ifMatch, headers, signal, keepalive = false }: Ask,
): Promise<Response> {
  const isChange = method !== 'GET' && method !== 'HEAD';
  try {
    return await fetch(path, {
      method,
      credentials: 'same-origin',
      redirect: 'error',
      keepalive,
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(body === undefined && text === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(isChange && csrfToken !== null ? { 'x-csrf-token': csrfToken } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(text === undefined ? {} : { body: text }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (fault) {
    if (signal?.aborted === true) throw fault;
    throw notReached();
  }
}

function notReached(): Refusal {
  return new Refusal({
    status: 0,
    code: 'network',
    title: 'The service was not reached',
    detail: 'Nothing is known to have been changed. Look whether this machine is connected, and try again.',
    requestId: null,
    errors: [],
    retryAfterS: null,
    members: {},
  });
}

async function readRefusal(reply: Response): Promise<Refusal> {
  const text = await reply.text().catch(() => '');
  const members = parseObject(text);
  const textOf = (name: string) => (typeof members[name] === 'string' ? members[name] : null);
  const retryAfter = Number(reply.headers.get('retry-after') ?? Number.NaN);
  return new Refusal({
    status: reply.status,
    code: (textOf('code') as ErrorCode | null) ?? `http.${reply.status}`,
    title: textOf('title') ?? `The service answered ${reply.status}`,
    detail: textOf('detail') ?? 'The service gave no reason. Try again; if it stays so, tell support the time.',
    requestId: textOf('requestId') ?? reply.headers.get('x-request-id'),
    errors: Array.isArray(members.errors) ? (members.errors as Refusal['errors']) : [],
    retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
    members,
  });
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
