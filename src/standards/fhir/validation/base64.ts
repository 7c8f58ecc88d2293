const BLANKS = ['\n', '\r', ' ', '\t'];

/**
 * The bytes of standard base64 (RFC 4648 §4), with or without lines, which R4 lets stand in it; null for anything else. Takes a few passes
 * of native code over the text, where a pattern over megabytes is slow, and may exhaust the stack of V8's regular expressions.
 */
export function decodeBase64(text: string): Buffer | null {
  const compact = BLANKS.some((blank) => text.includes(blank)) ? text.replaceAll(/[\n\r \t]+/g, '') : text;
  // Node's decoder takes the alphabet for addresses, too, and passes over what is in none: then fewer bytes come out than should.
  if (compact.length % 4 !== 0 || compact.includes('-') || compact.includes('_')) return null;
  const padding = compact.endsWith('==') ? 2 : Number(compact.endsWith('='));
  const bytes = Buffer.from(compact, 'base64');
  return bytes.length === (compact.length / 4) * 3 - padding ? bytes : null;
}
