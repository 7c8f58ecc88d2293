const KIB = 1024;

/** Largest JSON body, in bytes. Photos never travel in JSON here. */
export const JSON_BODY_LIMIT_BYTES = 256 * KIB;
/** Longest wait for a JSON body to arrive completely. */
export const JSON_BODY_TIMEOUT_MS = 120_000;

/** The most that a JSON text may turn into. Counted while the text is scanned, before any value is made. */
export interface JsonLimits {
  /** Levels of nesting. */
  readonly depth: number;
  /** Values in all: objects, lists and their members. */
  readonly values: number;
  /** Values of one list, and members of one object. */
  readonly members: number;
  /** Escape sequences in strings, each of which takes as long as a hundred other characters. */
  readonly escapes: number;
  /** Characters of a number. */
  readonly digits: number;
}

/** A JSON body of the native API and of the admin API. A contour has 4,000 points of three values each. */
export const JSON_LIMITS: JsonLimits = { depth: 32, values: 20_000, members: 5_000, escapes: 50_000, digits: 100 };
/**
 * A body of records, up to 64 MiB: a resource of 100 levels, as validation allows, inside a Bundle or Parameters;
 * thousands of resources of 40 values; a photo in Base64 with escaped slashes.
 */
export const RECORD_JSON_LIMITS: JsonLimits = {
  depth: 128,
  values: 200_000,
  members: 10_000,
  escapes: 2_000_000,
  digits: 100,
};
/** Longest request target, in characters. */
export const URL_LIMIT = 8 * KIB;
/** All header lines together, in bytes. */
export const HEADERS_LIMIT_BYTES = 16 * KIB;
/** The request line and the header lines, which Node counts as one. */
export const REQUEST_HEAD_LIMIT_BYTES = URL_LIMIT + HEADERS_LIMIT_BYTES;
/** Above the usual 60 s of load balancers, so that they close idle connections first (nodejs/node #27363). */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
export const HEADERS_TIMEOUT_MS = 60_000;
/**
 * Longest time for a request of any kind to arrive, such as a photo over a slow line. JSON bodies have a shorter
 * limit of their own.
 */
export const REQUEST_TIMEOUT_MS = 900_000;
/** A stop waits as long for answers as the worker does for running jobs; a request that has only begun to arrive has a second. */
export const DRAIN_LIMITS = { headMs: 1000, answerMs: 24_000 };
