import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { UPLOAD_PATH } from '../signing/upload-claim.js';

const BELOW_UPLOAD_PATH = `${UPLOAD_PATH}/`;
/** Stands in for whatever type the caller named, so that no parser reads the body. */
const UNPARSED = 'application/vnd.sutura.unparsed';
const SIGNED = /[?&]signature=/;

const namedTypes = new WeakMap<IncomingMessage, string>();

/** The Content-Type of an upload as the caller sent it, in lower case and without parameters; null where there was none. */
export function namedTypeOf(request: FastifyRequest): string | null {
  const named = namedTypes.get(request.raw);
  return named === undefined ? null : (named.split(';')[0] ?? '').trim().toLowerCase();
}

/**
 * Makes uploads stream: a photo sent as JSON or as a form (curl's default) is a photo all the same, so the type is put
 * aside before Fastify chooses a parser by it. A signed address used with another method is refused here, because no
 * route has that method.
 */
export function addUploadHooks(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, _reply, done) => {
    const { url = '', method, headers } = request.raw;
    if (!url.startsWith(BELOW_UPLOAD_PATH)) return done();
    if (method !== 'PUT') return done(SIGNED.test(url) ? new SuturaError('upload.signature') : undefined);
    if (headers['content-type'] !== undefined) namedTypes.set(request.raw, headers['content-type']);
    headers['content-type'] = UNPARSED;
    done();
  });
  instance.addContentTypeParser(UNPARSED, (request, payload, done) => {
    const isUpload = (request.raw.url ?? '').startsWith(BELOW_UPLOAD_PATH);
    done(isUpload ? null : new SuturaError('request.content_type'), payload);
  });
}
