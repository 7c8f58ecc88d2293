import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { discardRest } from './discard-rest.js';
import { isAtOrBelow } from './problem.js';
import { codingOf, type ContentCoding } from './content-coding.js';
import { readBody, type BodyLimits } from './read-body.js';

/** Replaces the media type of the request, so that no parser reads the body before the key is checked. */
const UNREAD = 'application/vnd.sutura.unread';

/** The original Content-Type of each request. */
const namedTypes = new WeakMap<IncomingMessage, string | undefined>();

/**
 * The paths whose bodies stay unread until their route asks for them: they may be large and of any type, and their
 * sender is known only after the guards. Everywhere else JSON is read at once.
 */
export class UnreadBodies {
  private readonly claimed: string[] = [];

  /** Bodies at and below `prefix` (`/name`) are left unread. */
  claim(prefix: string): void {
    this.claimed.push(prefix);
  }

  /** To be called before routes are made. */
  addTo(instance: FastifyInstance): void {
    instance.addHook('onRequest', ({ raw }, _reply, done) => {
      const path = raw.url ?? '';
      if (!this.claimed.some((prefix) => isAtOrBelow(path, prefix))) return done();
      namedTypes.set(raw, raw.headers['content-type']);
      raw.headers['content-type'] = UNREAD;
      done();
    });
    // A caller may send the replacement type itself.
    instance.addContentTypeParser(UNREAD, ({ raw }, payload, done) =>
      done(namedTypes.has(raw) ? null : new SuturaError('request.content_type'), payload),
    );
  }
}

/** The Content-Type of a body that is left unread, as the caller sent it. */
export function namedTypeOf(request: FastifyRequest): string | undefined {
  return namedTypes.get(request.raw);
}

/** A media type without its parameters, in lower case; empty without one. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]!.trim().toLowerCase();
}

/** Reads a body that was left unread. `request.too_large`, `request.timeout`, `request.invalid`, `service.busy`. */
export async function readUnread(
  request: FastifyRequest,
  limits: Omit<BodyLimits, 'announcedBytes' | 'coding' | 'share'>,
): Promise<Buffer> {
  try {
    return await readBody(request.raw, {
      ...limits,
      announcedBytes: announcedBytes(request),
      coding: packedBy(request),
      share: request.server.bodyBudget?.shareOf(request),
    });
  } catch (error) {
    await discardRest(request.raw);
    throw error;
  }
}

/** `request.content_type` for a coding that is not accepted, which request-rules.hook.ts has refused before. */
export function packedBy({ headers }: FastifyRequest): ContentCoding {
  const coding = codingOf(headers['content-encoding']);
  if (coding === null) throw new SuturaError('request.content_type');
  return coding;
}

/** The Content-Length; undefined for a chunked body. */
export function announcedBytes({ headers }: FastifyRequest): number | undefined {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
}
