const LINE_CHARACTERS = 110;
export const HEAD = '// Generated from docs/openapi.json by "npm run build:sdk:csharp".\n';

const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/`([^`]+)`/g, '<c>$1</c>');

function wrapped(text) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== '' && last.length + word.length + 1 > LINE_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

function element(name, attributes, text) {
  const lines = wrapped(escaped(text));
  const [begin, end] = [`<${name}${attributes}>`, `</${name}>`];
  return lines.length === 1
    ? [`${begin}${lines[0]}${end}`]
    : [`${begin}${lines[0]}`, ...lines.slice(1, -1), `${lines.at(-1)}${end}`];
}

/** A documentation comment: what it is, and what is said of each parameter. */
export function summary(text, parameters = []) {
  const said = parameters.filter(([, words]) => words !== '');
  const lines = [
    ...element('summary', '', text),
    ...said.flatMap(([name, words]) => element('param', ` name="${name}"`, words)),
  ];
  return lines.map((line) => `/// ${line}\n`).join('');
}

export const indented = (text) => text.replace(/^(?=.)/gm, '    ');

/** The name of a property or constant: each word begins with a capital. */
export function capitals(name) {
  const joined = name
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return /^\d/.test(joined) ? `_${joined}` : joined;
}
