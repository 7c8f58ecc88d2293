/** Splits where the separator is not escaped; escapes stay for the next split (R4 search.html 3.1.1.4.0.3). */
export function splitUnescaped(text: string, separator: ',' | '|' | '$'): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === separator) parts.push('');
    else if (character === '\\' && at + 1 < text.length) parts[parts.length - 1] += character + text[(at += 1)]!;
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** The text itself: `\,` `\|` `\$` `\\` stand for the character. */
export function unescape(text: string): string {
  return text.replace(/\\([,|$\\])/g, '$1');
}
