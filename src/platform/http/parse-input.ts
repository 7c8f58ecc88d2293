import type { z } from 'zod';
import { SuturaError, type FieldError } from '../../core/errors/sutura-error.js';

type Issue = z.core.$ZodIssue;

/** The part of the request that a value comes from. The body is the root of all pointers. */
export type InputPlace = '' | '/query' | '/header';

const ERROR_LIMIT = 20;
const SEGMENT_LIMIT = 64;

/**
 * The typed value, or `request.invalid` with one JSON pointer (RFC 6901) per fault. Input is never repeated but for
 * the names of unknown fields, which the pointers need.
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown, place: InputPlace = ''): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) => toFieldErrors(issue, value, place));
  throw new SuturaError('request.invalid', { errors: errors.slice(0, ERROR_LIMIT) });
}

/** The settings of a peer, or `request.invalid` with a pointer to each that does not fit, in the words of its schema. */
export function parseSettings<T extends z.ZodType>(schema: T, settings: unknown): z.output<T> {
  const parsed = schema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({
    pointer: `/settings/${path.map(String).join('/')}`,
    detail: message,
  }));
  throw new SuturaError('request.invalid', { errors });
}

/** The refusal of one field, for input that no schema covers. */
export function invalidInput(pointer: string, detail: string): SuturaError {
  return new SuturaError('request.invalid', { errors: [{ pointer, detail }] });
}

function toFieldErrors(issue: Issue, value: unknown, place: InputPlace): FieldError[] {
  const pointer = place + toPointer(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: pointer + toPointer([key]), detail: 'is not a known field' }));
  }
  return [{ pointer, detail: describe(issue, valueAt(value, issue.path) === undefined) }];
}

function toPointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).slice(0, SEGMENT_LIMIT).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part], value);
}

function describe(issue: Issue, missing: boolean): string {
  if (missing) return 'is required';
  // Words of a schema of ours, which begin in lower case; Zod's own do not.
  if (/^[a-z]/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected === 'record' ? 'object' : issue.expected}`;
    case 'too_big':
      return `must be at most ${String(issue.maximum)}${countedIn(issue.origin)}`;
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${String(issue.minimum)}${countedIn(issue.origin)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_key':
      return `has a name that cannot be used: it ${issue.issues[0]?.message ?? 'is not valid'}`;
    case 'custom':
      return issue.message;
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return 'is not valid';
  }
}

function countedIn(origin: string): string {
  return origin === 'string' ? ' characters long' : '';
}
