const LINE_CHARACTERS = 110;
export const HEAD = '// Generated from docs/openapi.json by "npm run build:sdk:java".\n';

const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replaceAll('\\', '&#92;')
    .replaceAll('*/', '*&#47;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== '' && last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** A documentation comment: sentences, then what is said of each parameter. */
export function javadoc(text, parameters = [], indent = '') {
  const said = parameters.filter(([, words]) => words !== '');
  const lines = wrapped(escaped(text), LINE_CHARACTERS);
  for (const [name, words] of said) lines.push(...wrapped(`@param ${name} ${escaped(words)}`, LINE_CHARACTERS));
  if (said.length > 0) lines.splice(wrapped(escaped(text), LINE_CHARACTERS).length, 0, '');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}

export const indented = (text) => text.replace(/^(?=.)/gm, '    ');
