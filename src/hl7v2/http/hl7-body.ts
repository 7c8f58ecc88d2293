import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { discardRest } from '../../platform/http/discard-rest.js';
import { readBody } from '../../platform/http/read-body.js';

/** Stands in for whatever type the caller named, so that no parser reads the body before the key is checked. */
const UNREAD = 'application/vnd.sutura.unread-hl7';
const OUR_PATH = /^\/hl7v2(?:[?]|$)/;
const BODY_TIMEOUT_MS = 120_000;
const DEFAULT_TYPE = 'application/hl7-v2';
/** HAPI's "HL7 over HTTP" and what engines send in its place. */
const TAKEN: readonly string[] = [DEFAULT_TYPE, 'x-application/hl7-v2+er7', 'text/plain'];

const namedTypes = new WeakMap<object, string>();

/** Leaves bodies unread until their route asks for them: who sends them is known only after the guards. To be called before routes are made. */
export function addHl7BodyHooks(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, _reply, done) => {
    const { url = '', headers } = request.raw;
    if (!OUR_PATH.test(url)) return done();
    if (headers['content-type'] !== undefined) namedTypes.set(request.raw, headers['content-type']);
    headers['content-type'] = UNREAD;
    done();
  });
  instance.addContentTypeParser(UNREAD, (request, payload, done) => {
    done(OUR_PATH.test(request.raw.url ?? '') ? null : new SuturaError('request.content_type'), payload);
  });
}

/** The media type that the body came in, which the answer has, too. `request.content_type`. */
export function mediaTypeOf(request: FastifyRequest): string {
  const type = (namedTypes.get(request.raw) ?? DEFAULT_TYPE).split(';')[0]!.trim().toLowerCase();
  if (!TAKEN.includes(type)) throw new SuturaError('request.content_type', { detail: `Send the message as ${DEFAULT_TYPE}, without Content-Encoding.` });
  return type;
}

/** `request.too_large`, `request.timeout`, `request.invalid`. */
export async function readMessage(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  const announced = request.headers['content-length'];
  try {
    return await readBody(request.raw, { limitBytes, timeoutMs: BODY_TIMEOUT_MS, announcedBytes: announced === undefined ? undefined : Number(announced) });
  } catch (error) {
    await discardRest(request.raw);
    throw error;
  }
}
