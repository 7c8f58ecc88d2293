import type { z } from 'zod';

/** An environment variable: its name, and the values it takes, described as in docs/settings.md. */
interface Variable<S extends z.ZodType> {
  readonly name: string;
  readonly schema: S;
}

export function variable<S extends z.ZodType>(name: string, purpose: string, schema: S): Variable<S> {
  return { name, schema: schema.describe(purpose) };
}
