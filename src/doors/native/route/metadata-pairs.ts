import { z } from 'zod';
import { plainText } from '../../../platform/http/text.schema.js';
import type { DescribedParameter } from './api-route.decorator.js';

const PREFIX = 'metadata.';
/** Each is a look-up of its own. */
const MOST_PAIRS = 4;
const LONGEST_KEY = 64;

/** The pairs of a query that its schema let through, by their key. */
export function metadataOf(query: object): Readonly<Record<string, string>> {
  return Object.fromEntries(pairsOf(query));
}

const pairsOf = (query: object): [key: string, value: string][] =>
  Object.entries(query).flatMap(([name, value]) =>
    name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value as string]] : [],
  );

/** The known fields of a query and `metadata.KEY=VALUE`; any other name is refused as unknown. */
export const withMetadata = <Known extends z.ZodRawShape>(known: z.ZodObject<Known>) =>
  known.catchall(plainText(255, 0)).superRefine((query, context) => {
    const refuse = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message });
    for (const name of Object.keys(query))
      if (!Object.hasOwn(known.shape, name) && !name.startsWith(PREFIX)) refuse(name, 'is not a known field');
    const keys = pairsOf(query).map(([key]) => key);
    for (const key of keys)
      if (key.length === 0 || key.length > LONGEST_KEY)
        refuse(`${PREFIX}${key}`, `names a key of metadata with 1 to ${LONGEST_KEY} characters`);
    for (const key of keys.slice(MOST_PAIRS))
      refuse(`${PREFIX}${key}`, `is beyond the ${MOST_PAIRS} pairs that are looked up`);
  });

/** Before it: without a name that no object takes as its own, which is left out before anything could refuse it. */
export const withoutPrototype = z.unknown().superRefine((query, context) => {
  if (typeof query === 'object' && query !== null && Object.hasOwn(query, '__proto__'))
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is not a known field' });
});

/** For the OpenAPI document. `which`: what is found, in the plural, with whose metadata it is. */
export const metadataFamily = (which: string): DescribedParameter => ({
  name: 'metadata',
  description: `Only ${which}, each pair as a parameter metadata.KEY=VALUE: metadata.case=4711. At most ${MOST_PAIRS} pairs, all of which one job has.`,
  example: '4711',
});
