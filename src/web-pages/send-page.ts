import type { FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../core/errors/sutura-error.js';
import type { PageFile } from './page-file.js';

/** Answers with a file of the pages, or that the browser's copy of it is good. `route.not_found`: no such file; also where the pages were not built. */
export async function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: PageFile | null,
  caching: string,
): Promise<void> {
  if (file === null) throw new SuturaError('route.not_found');
  void reply.headers({ 'cache-control': caching, etag: file.etag });
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(file.etag)) await reply.status(304).send();
  else await reply.header('content-type', file.contentType).send(file.bytes);
}
