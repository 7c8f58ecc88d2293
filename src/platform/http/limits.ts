const KIB = 1024;

/** Largest JSON body, in bytes. Photos never travel in JSON here. */
export const JSON_BODY_LIMIT_BYTES = 256 * KIB;
/** Longest wait for a JSON body to arrive completely. */
export const JSON_BODY_TIMEOUT_MS = 120_000;
/** Deepest nesting of a JSON body. */
export const JSON_DEPTH_LIMIT = 32;
/** Longest request target, in characters. */
export const URL_LIMIT = 8 * KIB;
/** All header lines together, in bytes. */
export const HEADERS_LIMIT_BYTES = 16 * KIB;
/** What Node counts as one: the request line and the header lines. */
export const REQUEST_HEAD_LIMIT_BYTES = URL_LIMIT + HEADERS_LIMIT_BYTES;
/** Above the usual 60 s of load balancers, so that they close idle connections first (nodejs/node #27363). */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
export const HEADERS_TIMEOUT_MS = 60_000;
/** Longest a request of any kind may take to arrive: a photo over a slow line. JSON bodies have their own, shorter limit. */
export const REQUEST_TIMEOUT_MS = 900_000;
/** A stop waits as long for answers as the worker does for running jobs; a request that has only begun to arrive has a second. */
export const DRAIN_LIMITS = { headMs: 1000, answerMs: 24_000 };
