import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import type { Language } from './language.js';

export type WordingKey = keyof typeof en;
/** All texts of one language: a language that lacks one does not compile. */
export type Wording = Readonly<Record<WordingKey, string>>;

export const WORDINGS: Readonly<Record<Language, Wording>> = { en, es, de, fr };

/** The text of a key in one language, with every `{name}` filled in; a name without a value is a mistake in the caller, and no report goes out with it. */
export type Say = (key: WordingKey, values?: Readonly<Record<string, string>>) => string;

export function speak(language: Language): Say {
  const wording = WORDINGS[language];
  return (key, values = {}) =>
    wording[key].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The text ${key} needs a value for ${name}.`);
      return value;
    });
}
