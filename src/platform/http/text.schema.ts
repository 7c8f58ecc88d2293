import { z } from 'zod';

/** NUL, which PostgreSQL cannot store, and lone surrogates, which are no Unicode text. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Text that can be stored, of 1 to `max` code points (or from 0 with `min` 0). */
export function plainText(max: number, min = 1): z.ZodString {
  return z
    .string()
    .refine((text) => text.length <= 2 * max && [...text].length <= max, {
      error: `must be at most ${max} characters long`,
      abort: true,
    })
    .refine((text) => text.length >= min, { error: `must be at least ${min} character long`, abort: true })
    .refine((text) => !UNSTORABLE.test(text), { error: 'must not contain NUL characters or unpaired surrogates' })
    .meta({ minLength: min, maxLength: max });
}

/** An absolute URI (RFC 3986 3): a scheme, a colon, and no spaces. At most 255 characters. */
export function uriText(): z.ZodString {
  return z
    .string()
    .refine((text) => text.length <= 255 && /^[A-Za-z][A-Za-z0-9+.-]{0,63}:[\x21-\x7e]+$/.test(text), {
      error: 'must be an absolute URI of at most 255 characters',
    })
    .meta({ format: 'uri', maxLength: 255 });
}
