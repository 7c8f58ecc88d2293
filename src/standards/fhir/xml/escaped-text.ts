/** What does not stand in an attribute as it is: markup, line ends, which are read as blanks, and what is no character of XML. */
const SPECIAL = /[&<>"\u0000-\u001f\ud800-\udfff\ufffe\uffff]/;
/** Two halves together are a character. */
const SPECIALS = /[\ud800-\udbff][\udc00-\udfff]|[&<>"\u0000-\u001f\ud800-\udfff\ufffe\uffff]/g;
const WRITTEN: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const NOT_PLAIN = /[\u0000-\u001f\ud800-\uffff]/;
const SHORT = 128;
/** Without them. */
const PLAIN = Uint8Array.from({ length: 0x10000 }, (_, code) => Number(!SPECIAL.test(String.fromCharCode(code))));
const REPLACEMENT = '\ufffd';

/** A text as the value of an attribute. What is no character of XML 1.0 is replaced by U+FFFD: it cannot be written. */
export function escaped(text: string): string {
  return isSpecial(text) ? text.replace(SPECIALS, written) : text;
}

/** Each of these looks through a text more quickly than one pattern of all of them; a short one is quickest by character. */
function isSpecial(text: string): boolean {
  if (text.length > SHORT)
    return NOT_PLAIN.test(text) || text.includes('&') || text.includes('<') || text.includes('"') || text.includes('>');
  for (let at = 0; at < text.length; at += 1) if (PLAIN[text.charCodeAt(at)] !== 1) return SPECIAL.test(text);
  return false;
}

function written(found: string): string {
  return WRITTEN[found] ?? (found.length === 2 ? found : REPLACEMENT);
}
