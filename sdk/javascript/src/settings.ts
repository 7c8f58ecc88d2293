import { ConfigurationError } from './errors.js';
import type { ClientOptions, FetchLike, Logger } from './options.js';
import { realTime, TIME, type Time } from './time.js';

const LOCAL = 'http://127.0.0.1:3000';
const DEFAULT_REQUEST_MS = 60_000;
const DEFAULT_MAX_RETRIES = 3;
const DEFAULT_MAX_RETRY_AFTER_MS = 60_000;

/** The options of a client, checked and complete. */
export interface ClientSettings {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
  readonly logger: Logger | undefined;
  readonly fetch: FetchLike;
  readonly time: Time;
}

export function toSettings(options: ClientOptions & { readonly [TIME]?: Time }): ClientSettings {
  const { timeoutMs = DEFAULT_REQUEST_MS, maxRetries = DEFAULT_MAX_RETRIES, maxRetryAfterMs = DEFAULT_MAX_RETRY_AFTER_MS } = options;
  if (!(timeoutMs > 0)) throw new ConfigurationError('timeoutMs must be above 0.');
  if (!(maxRetries >= 0)) throw new ConfigurationError('maxRetries must be 0 or more.');
  if (!(maxRetryAfterMs >= 0)) throw new ConfigurationError('maxRetryAfterMs must be 0 or more.');
  return {
    apiKey: readKey(options.apiKey),
    baseUrl: readBaseUrl(options.baseUrl),
    timeoutMs,
    maxRetries,
    maxRetryAfterMs,
    logger: options.logger,
    fetch: options.fetch ?? findFetch(),
    time: options[TIME] ?? realTime,
  };
}

/** No environment where there is no process, as in a browser. */
function fromEnvironment(name: string): string | undefined {
  const value = typeof process === 'undefined' ? undefined : process.env?.[name];
  return value === '' ? undefined : value;
}

/** Trimmed, because keys are often read from a file with a line end. The messages do not show what was given. */
function readKey(given: string | undefined): string {
  const key = (given ?? fromEnvironment('SUTURA_API_KEY'))?.trim();
  if (key === undefined || key === '') throw new ConfigurationError('No API key: give the option apiKey, or set SUTURA_API_KEY.');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigurationError('The API key has characters that no key has. Copy it again.');
  return key;
}

function readBaseUrl(given: string | undefined): string {
  const text = given ?? fromEnvironment('SUTURA_BASE_URL') ?? LOCAL;
  const refuse = (why: string): never => {
    throw new ConfigurationError(`The base URL ${why}. Give one such as ${LOCAL}.`);
  };
  const url = parseUrl(text) ?? refuse('is none');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') refuse('is neither http nor https');
  if (url.username !== '' || url.password !== '') refuse('has a user name or password in it');
  if (url.search !== '' || url.hash !== '') refuse('has a query or fragment');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text.trim());
  } catch {
    return undefined;
  }
}

function findFetch(): FetchLike {
  if (typeof fetch !== 'function') throw new ConfigurationError('There is no fetch here: use Node.js 18 or newer, or give the option fetch.');
  return (url, init) => fetch(url, init);
}
