import { ConfigurationError } from './errors.js';
import { webAddress } from './fields.js';
import type { ClientOptions, Logger } from './options.js';
import { requireMayHold } from './platform.js';
import { realTime, TIME, type Time } from './time.js';

const LOCAL = 'http://127.0.0.1:3000';
const DEFAULT_REQUEST_MS = 60_000;
const DEFAULT_MAX_RETRIES = 3;
const DEFAULT_MAX_RETRY_AFTER_MS = 60_000;

/** A misspelt one would be passed over, and the service asked be another. */
const OPTIONS = [
  'apiKey',
  'baseUrl',
  'timeoutMs',
  'maxRetries',
  'maxRetryAfterMs',
  'logger',
  'fetch',
  'dangerouslyAllowBrowser',
];

/** What this library needs of an answer. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null } & Iterable<readonly [string, string]>;
  readonly body: unknown;
  text(): Promise<string>;
}

type FetchLike = (url: string, init: Readonly<Record<string, unknown>>) => Promise<FetchResponse>;

/** The options of a client but the key, checked and complete. */
export interface ClientSettings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
  readonly logger: Logger | undefined;
  readonly fetch: FetchLike;
  /** The caller's, and not the platform's. */
  readonly hasOwnFetch: boolean;
  readonly time: Time;
}

export function toSettings(options: ClientOptions & { readonly [TIME]?: Time }): ClientSettings {
  const {
    timeoutMs = DEFAULT_REQUEST_MS,
    maxRetries = DEFAULT_MAX_RETRIES,
    maxRetryAfterMs = DEFAULT_MAX_RETRY_AFTER_MS,
  } = options;
  const unknown = Object.entries(options).find(([name, value]) => value !== undefined && !OPTIONS.includes(name))?.[0];
  if (unknown !== undefined)
    throw new ConfigurationError(`There is no option ${unknown}. There are ${OPTIONS.join(', ')}.`);
  for (const [name, value, least] of [
    ['timeoutMs', timeoutMs, 1],
    ['maxRetries', maxRetries, 0],
    ['maxRetryAfterMs', maxRetryAfterMs, 0],
  ] as const) {
    if (!(value >= least)) throw new ConfigurationError(`${name} must be a number from ${least}.`);
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    timeoutMs,
    maxRetries,
    maxRetryAfterMs,
    logger: options.logger,
    fetch: options.fetch ?? findFetch(),
    hasOwnFetch: options.fetch !== undefined,
    time: options[TIME] ?? realTime,
  };
}

/** No environment where there is no process, as in a browser. */
function fromEnvironment(name: string): string | undefined {
  const value = typeof process === 'undefined' ? undefined : process.env?.[name];
  return value === '' ? undefined : value;
}

/** Trimmed, because keys are often read from a file with a line end. The messages do not show what was given. */
export function readKey({ apiKey, dangerouslyAllowBrowser }: ClientOptions): string {
  const key = (apiKey ?? fromEnvironment('SUTURA_API_KEY'))?.trim();
  if (key === undefined || key === '')
    throw new ConfigurationError('No API key: give the option apiKey, or set SUTURA_API_KEY.');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ConfigurationError('The API key has characters that no key has. Copy it again.');
  requireMayHold(key, dangerouslyAllowBrowser);
  return key;
}

function readBaseUrl(given: string | undefined): string {
  const text = given ?? fromEnvironment('SUTURA_BASE_URL') ?? LOCAL;
  const url = webAddress(text.trim());
  // What was given is not shown: it may hold a password.
  if (url === undefined || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new ConfigurationError(
      `The base URL must be an address such as ${LOCAL}, without user, password, query and fragment.`,
    );
  }
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  if (base.endsWith('/api/v1'))
    throw new ConfigurationError('Leave out /api/v1 at the end of the base URL: this library adds it.');
  return base;
}

function findFetch(): FetchLike {
  if (typeof fetch !== 'function')
    throw new ConfigurationError('There is no fetch here: use Node.js 18 or newer, or give the option fetch.');
  return (url, init) => fetch(url, init);
}
