import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { discardRest } from '../../platform/http/discard-rest.js';
import { readBody } from '../../platform/http/read-body.js';
import { parseStrictJson } from '../../platform/http/strict-json.js';
import { FHIR_BODY_LIMIT_BYTES, FHIR_BODY_TIMEOUT_MS, FHIR_JSON_DEPTH_LIMIT, FORM_LIMIT_BYTES } from './fhir-limits.js';

/** Stands in for whatever type the caller named, so that no parser reads the body before the key is checked. */
const UNREAD = 'application/vnd.sutura.unread';
const BELOW_BASE = /^\/fhir(?:[/?]|$)/;

const namedTypes = new WeakMap<object, string>();

/**
 * Leaves bodies below the base unread until their route asks for them: they may be large and of any type, and who sends them is known
 * only after the guards.
 */
export function addBodyHooks(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, _reply, done) => {
    const { url = '', headers } = request.raw;
    if (!BELOW_BASE.test(url)) return done();
    if (headers['content-type'] !== undefined) namedTypes.set(request.raw, headers['content-type']);
    headers['content-type'] = UNREAD;
    done();
  });
  instance.addContentTypeParser(UNREAD, (request, payload, done) => {
    done(BELOW_BASE.test(request.raw.url ?? '') ? null : new SuturaError('request.content_type'), payload);
  });
}

/** The Content-Type as the caller sent it. */
export function namedTypeOf(request: FastifyRequest): string | undefined {
  return namedTypes.get(request.raw);
}

/** The JSON of a body, undefined where it is empty. `request.invalid`, `request.too_large`, `request.timeout`. */
export async function readJson(request: FastifyRequest): Promise<unknown> {
  const bytes = await readBytes(request);
  return bytes.length === 0 ? undefined : parseStrictJson(bytes, FHIR_JSON_DEPTH_LIMIT);
}

export async function readForm(request: FastifyRequest): Promise<URLSearchParams> {
  return new URLSearchParams((await readBytes(request, FORM_LIMIT_BYTES)).toString('utf8'));
}

export async function readBytes(request: FastifyRequest, limitBytes = FHIR_BODY_LIMIT_BYTES): Promise<Buffer> {
  const announced = request.headers['content-length'];
  try {
    return await readBody(request.raw, { limitBytes, timeoutMs: FHIR_BODY_TIMEOUT_MS, announcedBytes: announced === undefined ? undefined : Number(announced) });
  } catch (error) {
    await discardRest(request.raw);
    throw error;
  }
}
