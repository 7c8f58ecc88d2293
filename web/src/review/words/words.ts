import { de } from './de.js';
import { en, type Words } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';

const ALL: Readonly<Record<string, Words>> = { de, en, es, fr };

/** The language of the link, else of the browser, else English. */
export function chooseWords(wished: string | null): { readonly words: Words; readonly language: string } {
  const asked = [wished, ...navigator.languages].map((one) => one?.slice(0, 2).toLowerCase() ?? '');
  const language = asked.find((one) => ALL[one] !== undefined) ?? 'en';
  return { words: ALL[language]!, language };
}

/** `fill('Point {number}', { number: 3 })` */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
