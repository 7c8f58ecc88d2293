import { PLAIN_WORDS } from './plain-words.js';
import { rowsOf, SOURCES, textOf } from './pages.js';

const GLOSSARY = textOf('docs/glossary.md');
/** Names whose inner capital does not begin a word. */
const WHOLE = { OpenCv: 'Opencv', TypeOrm: 'Typeorm', Mllp: 'Mllp' };

/** 'Hl7MessagesController' → hl7, messages, controller. */
function wordsOf(name: string): string[] {
  const whole = Object.entries(WHOLE).reduce((text, [from, to]) => text.replace(from, to), name);
  return (whole.match(/[A-Z]+(?![a-z])\d*|[A-Z][a-z]+\d*|[a-z]+\d*/g) ?? []).map((word) => word.toLowerCase());
}

/** The word, and what it may be the plural of. */
const formsOf = (word: string): string[] => [
  word,
  word.replace(/s$/, ''),
  word.replace(/ies$/, 'y'),
  word.replace(/es$/, ''),
  word.replace(/ses$/, 'sis'),
];

/** The words that rows define: of "chain, head" both, of "analysis job" both. */
const definedIn = (page: string): string[] =>
  rowsOf(page).flatMap(([term]) => term!.toLowerCase().match(/[a-z0-9]+/g) ?? []);

const DECLARED = SOURCES.flatMap((file) =>
  [...textOf(file).matchAll(/^export (?:default )?(?:abstract )?(?:class|interface) (\w+)/gm)].map(
    ([, name]) => [name!, file] as const,
  ),
);
const USED = new Set(DECLARED.flatMap(([name]) => wordsOf(name).flatMap(formsOf)));
const KNOWN = new Set([...definedIn(GLOSSARY), ...Object.values(PLAIN_WORDS).flatMap((words) => words.split(/\s+/))]);

it('finds the classes of src', () => {
  expect(DECLARED.length).toBeGreaterThan(500);
});

it('every word in the name of an exported class is in docs/glossary.md, or plain English of the field', () => {
  const unknown = DECLARED.flatMap(([name, file]) =>
    wordsOf(name)
      .filter((word) => !formsOf(word).some((form) => KNOWN.has(form)))
      .map((word) => `${word}: ${name} in ${file}`),
  );
  expect(unknown).toEqual([]);
});

it('the glossary has no word of the code that no class has any more', () => {
  const ofTheCode = definedIn(GLOSSARY.slice(GLOSSARY.indexOf('## Words of the code'))).filter(
    (word) => word !== 'word',
  );
  expect(ofTheCode.filter((word) => !USED.has(word) && !USED.has(`${word}ed`) && !USED.has(`${word}er`))).toEqual([]);
});
