import type { Language } from '../../../../src/core/report/languages.js';
import { de } from './de.js';
import { en, type Words } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';

const ALL: Readonly<Record<Language, Words>> = { de, en, es, fr };

/** The language of the link, else of the browser, else English. */
export function chooseWords(wished: string | null): { readonly words: Words; readonly language: Language } {
  const asked = [wished, ...navigator.languages].map((one) => one?.slice(0, 2).toLowerCase() ?? '');
  const language = asked.find(isLanguage) ?? 'en';
  return { words: ALL[language], language };
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(ALL, text);
}

/** `fill('Point {number}', { number: 3 })` */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

/** Millimetres per pixel, as exactly as a ruler gives them. */
export function scaleWord(mmPerPixel: number, language: string): string {
  return mmPerPixel.toLocaleString(language, { maximumSignificantDigits: 4 });
}
