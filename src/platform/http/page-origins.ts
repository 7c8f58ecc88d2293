import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { isAtOrBelow } from './problem.js';

/** Whether pages of an origin may read answers below the claimed path. */
type IsAllowed = (origin: string) => Promise<boolean>;

/** A browser remembers so long what it was allowed. */
const PREFLIGHT_AGE_S = 600;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const TAKEN_HEADERS =
  'authorization, x-api-key, content-type, idempotency-key, if-match, if-none-match, prefer, x-request-id, x-sutura-user';
const SHOWN_HEADERS =
  'content-disposition, content-language, deprecation, etag, idempotency-replayed, link, location, preference-applied, ratelimit, ratelimit-policy, retry-after, sunset, x-request-id';

/** A browser that says nothing of where a page is: the gateway cannot tell that page from another. */
const UNSAID = {
  detail:
    'No page of elsewhere is served here, whatever the organization allowed: browsers say where a request comes from (Sec-Fetch-Site) only over https and to localhost. Reach the gateway by https.',
};

/** The origins of requests to claimed paths that pages of elsewhere made. */
const foreignOrigins = new WeakMap<IncomingMessage, string>();

/**
 * Pages of other origins (CORS, Fetch Standard 3.3): preflights below claimed paths are answered for allowed origins alone, each named; never for all,
 * and never with cookies. Whether a request itself is served is for its route (`foreignOriginOf`).
 */
export class PageOrigins {
  private readonly claimed: { readonly prefix: string; readonly isAllowed: IsAllowed }[] = [];

  /** Pages of allowed origins may call what is at and below `prefix` (`/name`). */
  claim(prefix: string, isAllowed: IsAllowed): void {
    this.claimed.push({ prefix, isAllowed });
  }

  /** To be called before routes are made. */
  addTo(instance: FastifyInstance): void {
    instance.addHook('onRequest', async (request, reply) => {
      const isAllowed = await this.mark(request, reply);
      return isAllowed && isPreflight(request) ? answerPreflight(reply) : undefined;
    });
  }

  /** Lets the page behind the request read the answer, whatever it will be. False: no page of elsewhere, or one that nobody allowed. */
  async mark(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const claim = this.claimed.find(({ prefix }) => isAtOrBelow(request.raw.url ?? '', prefix));
    if (claim === undefined) return false;
    const origin = pageBehind(request);
    if (origin === null) {
      if (isPreflight(request) && request.headers['sec-fetch-site'] === undefined)
        throw new SuturaError('auth.origin', UNSAID);
      return false;
    }
    foreignOrigins.set(request.raw, origin);
    if (!(await claim.isAllowed(origin))) return false;
    allow(origin, reply);
    return true;
  }
}

/** The origin of the page of elsewhere that made a request to a path which such pages may call; null: none did. */
export function foreignOriginOf(request: FastifyRequest): string | null {
  return foreignOrigins.get(request.raw) ?? null;
}

/**
 * As the browser states it, which a page cannot change; null for our own pages, and for whoever is no browser: a server may pass on an `Origin`, and
 * is served by its key. Browsers say where a request comes from over TLS and on localhost, so that pages elsewhere can call no other gateway.
 */
function pageBehind({ headers }: FastifyRequest): string | null {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site' ? (headers.origin ?? null) : null;
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function allow(origin: string, reply: FastifyReply): void {
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': SHOWN_HEADERS,
    vary: 'origin',
  });
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .removeHeader('access-control-expose-headers')
    .headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': TAKEN_HEADERS,
      'access-control-max-age': String(PREFLIGHT_AGE_S),
    })
    .send();
}
