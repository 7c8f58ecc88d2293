import { checkingBase64 } from '../../../platform/turns/base64.js';
import { atOnce, type Paced } from '../../../platform/turns/turns.js';

/** Bundles end at 64 MiB (standards 3.4), so that no attachment is larger. */
export const BASE64_MAX_BYTES = 64 * 1024 * 1024;
/** Above this, Medplum's pattern for base64 takes long, and may exhaust the stack of V8's regular expressions. */
export const LONG_CHARACTERS = 64 * 1024;
/** In place of long base64, and of a long text that is none. */
const [PLACEHOLDER, FAULTY] = ['AAAA', '='];
/** The elements of R4 that are base64Binary: of Attachment, Binary and Signature, and the choice of extensions. */
export const BASE64_NAMES: readonly string[] = ['data', 'valueBase64Binary'];

/**
 * The value with its long attachments cut to a few characters, which are base64 where the attachment is: what is checked here in one pass
 * need not be checked again. Text longer than `maxBytes` stays as it is. The original is left alone, and answered where nothing is long.
 */
export function* shorteningBase64<T>(value: T, maxBytes: number): Paced<T> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const after: unknown[] = [];
    for (const each of value as unknown[]) after.push(yield* shorteningBase64(each, maxBytes));
    return after.every((each, index) => each === value[index]) ? value : (after as T);
  }
  // SampledData.data is text of numbers.
  const mayHold = !('dimensions' in value);
  const entries: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value) as [string, unknown][])
    entries.push([
      name,
      mayHold && BASE64_NAMES.includes(name) && isLong(each, maxBytes)
        ? (yield* checkingBase64(each))
          ? PLACEHOLDER
          : FAULTY
        : yield* shorteningBase64(each, maxBytes),
    ]);
  return entries.every(([name, each]) => (value as Record<string, unknown>)[name] === each)
    ? value
    : (Object.fromEntries(entries) as T);
}

/** `shorteningBase64` at once. */
export function withoutLongBase64<T>(value: T, maxBytes: number): T {
  return atOnce(shorteningBase64(value, maxBytes));
}

function isLong(value: unknown, maxBytes: number): value is string {
  return typeof value === 'string' && value.length > LONG_CHARACTERS && value.length * 0.75 <= maxBytes;
}
