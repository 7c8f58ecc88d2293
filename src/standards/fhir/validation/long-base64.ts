import { decodeBase64 } from './base64.js';

/** Bundles end at 64 MiB (standards 3.4), so that no attachment is larger. */
export const BASE64_MAX_BYTES = 64 * 1024 * 1024;
/** Above this, Medplum's pattern for base64 takes long, and may exhaust the stack of V8's regular expressions. */
export const LONG_CHARACTERS = 64 * 1024;
const PLACEHOLDER = 'AAAA';
/** The elements of R4 that are base64Binary: of Attachment, Binary and Signature, and the choice of extensions. */
export const BASE64_NAMES: readonly string[] = ['data', 'valueBase64Binary'];

/**
 * The value with its long attachments, where they are base64, cut to a few characters: what is checked here in one pass need not be checked
 * again. Text that is no base64, or longer than `maxBytes`, stays as it is. The original is left alone, and answered where nothing is long.
 */
export function withoutLongBase64<T>(value: T, maxBytes: number): T {
  if (Array.isArray(value))
    return mapped(
      value,
      value.map((each: unknown) => withoutLongBase64(each, maxBytes)),
    ) as T;
  if (typeof value !== 'object' || value === null) return value;
  // SampledData.data is text of numbers.
  const mayHold = !('dimensions' in value);
  const entries = Object.entries(value).map(([name, each]: [string, unknown]): [string, unknown] => [
    name,
    mayHold && BASE64_NAMES.includes(name) && isLongBase64(each, maxBytes)
      ? PLACEHOLDER
      : withoutLongBase64(each, maxBytes),
  ]);
  return entries.every(([name, each]) => (value as Record<string, unknown>)[name] === each)
    ? value
    : (Object.fromEntries(entries) as T);
}

function mapped<T>(before: T[], after: T[]): T[] {
  return after.every((each, index) => each === before[index]) ? before : after;
}

function isLongBase64(value: unknown, maxBytes: number): boolean {
  if (typeof value !== 'string' || value.length <= LONG_CHARACTERS || value.length * 0.75 > maxBytes) return false;
  return decodeBase64(value) !== null;
}
