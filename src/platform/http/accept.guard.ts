import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';

const PRODUCES = 'sutura:produces';

/** The media types of a route's answers, if not JSON. An empty list means no body. */
export const Produces = (...mediaTypes: string[]): MethodDecorator => SetMetadata(PRODUCES, mediaTypes);

/** Refuses callers that accept none of the route's media types: `request.not_acceptable`. */
@Injectable()
export class AcceptGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const accept = context.switchToHttp().getRequest<FastifyRequest>().headers.accept;
    const produced = this.reflector.get<string[] | undefined>(PRODUCES, context.getHandler()) ?? ['application/json'];
    if (accept === undefined || produced.length === 0 || produced.some((type) => accepts(accept, type))) return true;
    throw new SuturaError('request.not_acceptable', {
      detail: `This resource is served as ${produced.join(' or ')}. Accept that, or leave out the Accept header.`,
    });
  }
}

/**
 * True if the header accepts the media type. The most specific matching range decides, and q=0 refuses (RFC 9110
 * 12.5.1).
 */
export function accepts(accept: string, mediaType: string): boolean {
  return qualityOf(accept, mediaType) > 0;
}

function qualityOf(accept: string, mediaType: string): number {
  const candidates = [mediaType, `${mediaType.split('/')[0] ?? ''}/*`, '*/*'];
  const ranges = accept.split(',').map(parseRange);
  for (const candidate of candidates) {
    const range = ranges.find(({ type }) => type === candidate);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** The offered media type with the highest q, the first of equals; null if none is accepted. */
export function preferredMediaType(accept: string | undefined, offered: readonly string[]): string | null {
  const offers = offered.map((type) => ({ type, quality: accept === undefined ? 1 : qualityOf(accept, type) }));
  const best = Math.max(...offers.map(({ quality }) => quality));
  return best > 0 ? (offers.find(({ quality }) => quality === best)?.type ?? null) : null;
}

function parseRange(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
}
