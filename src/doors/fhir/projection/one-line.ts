/** Text in one line, without control characters and halves of signs, which a database refuses; longer text ends with an ellipsis. */
export function oneLine(text: string, maxSigns = Infinity): string {
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim();
  if (line.length <= maxSigns) return line;
  const signs = [...line];
  return signs.length <= maxSigns ? line : `${signs.slice(0, maxSigns - 1).join('')}…`;
}
