import { z } from 'zod';
import { ERROR_CATALOGUE } from '../../core/errors/catalogue.js';

/** Every code of this release, to switch on. Problems hold it as text, since later releases add codes and a client must still read them. */
export const errorCodeSchema = z.enum(Object.keys(ERROR_CATALOGUE) as [string, ...string[]]).meta({
  id: 'ErrorCode',
  description:
    'The codes of this release (docs/errors.md). More may come: treat one that you do not know by its status.',
});

/** A problem (RFC 9457), for the OpenAPI document. */
export const problemSchema = z
  .looseObject({
    type: z.string().describe('Identifies the code; not an address.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What happened and what to do next.'),
    instance: z.string().describe('The path that was asked for, without its query.'),
    code: z.string().describe('Stable: one of ErrorCode; more may come. x-error-codes of an operation has its own.'),
    requestId: z.string().describe('Also in X-Request-Id; tell it to support.'),
    errors: z
      .array(
        z.looseObject({
          pointer: z.string().describe('RFC 6901 into the body, or /query/… or /header/…'),
          detail: z.string(),
        }),
      )
      .optional()
      .describe('The fields at fault; values are never repeated.'),
    heldId: z.string().optional().describe('What waits for a person because of it, by its id in /api/v1/held.'),
  })
  .meta({ id: 'Problem', description: 'A refusal (RFC 9457).' });
