import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wantsGzip } from './content-coding.js';

/** Below it a packet carries the answer anyway. */
const WORTHWHILE_BYTES = 512;
/** Quickest: on JSON it leaves a tenth more than the usual 6, in a third of the time. */
const LEVEL = 1;
/** What is text. Photos and PDFs are packed as they are. */
const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|x-ndjson|ndjson|javascript))/;

const pack = promisify(gzip);

interface PackedRouteConfig {
  readonly holdsSecret?: boolean;
}

/** For routes whose answers hold a credential: a signed address, an API key. How well text packs says what stands in it (docs/decisions/0033). */
export const NeverPacked = (): MethodDecorator =>
  RouteConfig({ holdsSecret: true } satisfies PackedRouteConfig) as MethodDecorator;

/** Packs answers of text by gzip for those who ask for it, in a thread of Node's pool. */
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

/** Parts of a body are parts of it as it is, and so is the tag of what can be asked for in parts. */
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

/** A strong tag is of one sequence of bytes, and these are others (RFC 9110 8.8.1). */
function weaken(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && tag.startsWith('"')) void reply.header('etag', `W/${tag}`);
}
