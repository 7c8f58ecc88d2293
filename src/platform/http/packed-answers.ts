import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wantsGzip } from './content-coding.js';

/** A smaller answer fits into one packet anyway. */
const WORTHWHILE_BYTES = 512;
/** The quickest level. JSON becomes a tenth larger than with the usual 6, in a third of the time. */
const LEVEL = 1;
/** Media types of text. Photos and PDFs are packed already. */
const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|x-ndjson|ndjson|javascript))/;

const pack = promisify(gzip);

interface PackedRouteConfig {
  readonly holdsSecret?: boolean;
}

/**
 * For routes whose answers contain a credential, such as a signed address or an API key: the size of packed text
 * gives away its content (docs/decisions/0033).
 */
export const NeverPacked = (): MethodDecorator =>
  RouteConfig({ holdsSecret: true } satisfies PackedRouteConfig) as MethodDecorator;

/** Packs text answers by gzip for callers who ask for it, in a thread of Node's pool. */
export function addPackedAnswers(instance: FastifyInstance): void {
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (!mayBePacked(request, reply)) return done(null, payload);
    vary(reply);
    if (!isLong(payload) || !wantsGzip(request.headers['accept-encoding'])) return done(null, payload);
    pack(payload, { level: LEVEL }).then(
      (packed) => {
        void reply.header('content-encoding', 'gzip').removeHeader('content-length');
        weaken(reply);
        done(null, packed);
      },
      (error: Error) => done(error),
    );
  });
}

/** False for what can be asked for in parts, as ranges and tag are of the unpacked body. */
function mayBePacked({ routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  if (reply.statusCode === 304) return true;
  const type = reply.getHeader('content-type');
  if (
    typeof type !== 'string' ||
    !TEXT.test(type) ||
    reply.hasHeader('accept-ranges') ||
    reply.hasHeader('content-encoding')
  )
    return false;
  return (routeOptions.config as PackedRouteConfig | undefined)?.holdsSecret !== true;
}

function isLong(payload: unknown): payload is string | Buffer {
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= WORTHWHILE_BYTES;
}

function vary(reply: FastifyReply): void {
  const known = reply.getHeader('vary');
  void reply.header('vary', known === undefined ? 'accept-encoding' : `${String(known)}, accept-encoding`);
}

/** Makes the tag weak: a strong one names one sequence of bytes, and packed ones differ (RFC 9110 8.8.1). */
function weaken(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && tag.startsWith('"')) void reply.header('etag', `W/${tag}`);
}
