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
const REPLACEMENT = '\ufffd';

/** A text as the value of an attribute. What is no character of XML 1.0 is replaced by U+FFFD: it cannot be written. */
export function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, written) : text;
}

function written(found: string): string {
  return WRITTEN[found] ?? (found.length === 2 ? found : REPLACEMENT);
}
