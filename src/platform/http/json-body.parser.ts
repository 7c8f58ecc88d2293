import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { JSON_BODY_LIMIT_BYTES, JSON_BODY_TIMEOUT_MS } from './limits.js';
import { readBody } from './read-body.js';
import { parseStrictJson } from './strict-json.js';
import { announcedBytes, packedBy } from './unread-bodies.js';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/**
 * Reads bodies of one JSON media type. Fastify answers types without a parser of their own with
 * FST_ERR_CTP_INVALID_MEDIA_TYPE. An empty body is `undefined`.
 */
export function addJsonBodyParser(
  instance: FastifyInstance,
  mediaType: string,
  limitBytes = JSON_BODY_LIMIT_BYTES,
): void {
  instance.addContentTypeParser(mediaType, async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
    const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset))
      throw new SuturaError('request.content_type', { detail: 'Send the body in UTF-8.' });
    const share = instance.bodyBudget?.shareOf(request);
    const bytes = await readBody(payload, {
      limitBytes,
      timeoutMs: JSON_BODY_TIMEOUT_MS,
      announcedBytes: announcedBytes(request),
      coding: packedBy(request),
      share,
    });
    return bytes.length === 0 ? undefined : parseStrictJson(bytes);
  });
}
