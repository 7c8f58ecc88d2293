/** Base64 in the form of RFC 4648 §4, with what its sender wrote around it. */
interface PlainBase64 {
  readonly text: string;
  /** It was written in another form. */
  readonly isOtherForm: boolean;
  /** The media type that a `data:` prefix states; null: none. */
  readonly mediaType: string | null;
}

const DATA_PREFIX = /^data:([a-z]+\/[a-z0-9.+-]{1,100})?[^,]{0,200};base64,/i;
const LONGEST_PREFIX = 400;

/**
 * The same data in the standard form, where they are in one that is mistaken for it: with a `data:` prefix (RFC 2397), in the alphabet for
 * addresses (RFC 4648 §5), padded or not, or with more padding than there is to fill. `text` is compact. What is wrong otherwise stays.
 */
export function toPlainBase64(text: string): PlainBase64 {
  const prefix = DATA_PREFIX.exec(text.slice(0, LONGEST_PREFIX));
  const data = prefix === null ? text : text.slice(prefix[0].length);
  const isForAddresses = data.includes('-') || data.includes('_');
  const standard = isForAddresses ? data.replaceAll('-', '+').replaceAll('_', '/') : data;
  const plain = padded(standard, isForAddresses);
  return { text: plain, isOtherForm: plain !== text, mediaType: prefix?.[1]?.toLowerCase() ?? null };
}

/** Standard Base64 without its padding was possibly cut off; that for addresses is written so. */
function padded(text: string, mayLackPadding: boolean): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === EQUALS_SIGN) end -= 1;
  const missing = (4 - (end % 4)) % 4;
  if (missing === 3 || (text.length - end < missing && !mayLackPadding)) return text;
  return text.length - end === missing ? text : text.slice(0, end) + '='.repeat(missing);
}

const EQUALS_SIGN = 0x3d;
