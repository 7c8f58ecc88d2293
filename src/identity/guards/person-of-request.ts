import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { PERSON_RULE, readPerson } from '../../core/tenancy/person.js';

const HEADER = 'x-sutura-user';
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The person behind a request: of the header `X-Sutura-User` or of the caller's token; null where neither names one. `auth.person` where the
 * key or client is not trusted to name persons, or its token is of another one; `request.invalid` for a header that names nobody.
 */
export function personBehind(
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
  { namesPersons = false, person = null }: { readonly namesPersons?: boolean; readonly person?: string | null },
): string | null {
  const sent = request.headers[HEADER];
  if (sent === undefined) return person;
  if (!namesPersons) throw new SuturaError('auth.person');
  const named = isRepeated(request.raw.rawHeaders) ? null : decoded(String(sent));
  if (named === null)
    throw new SuturaError('request.invalid', {
      errors: [{ pointer: '/header/X-Sutura-User', detail: `must be there once, in UTF-8, with ${PERSON_RULE}` }],
    });
  if (person !== null && person !== named)
    throw new SuturaError('auth.person', {
      detail: 'The token is of another person. Ask for one of this person, or leave out X-Sutura-User.',
    });
  return named;
}

/** Node.js joins the values of a header that is there several times. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === HEADER).length > 1;
}

/** Node.js reads each byte of a header as a character of its own. */
function decoded(bytes: string): string | null {
  try {
    return readPerson(UTF8.decode(Buffer.from(bytes, 'latin1')));
  } catch {
    return null;
  }
}
