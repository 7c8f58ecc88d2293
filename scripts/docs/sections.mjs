// What the search finds: the sections of a page, and the terms that its tables explain.
import { wordsOf, wordsOfRow } from './markdown.mjs';

/** @returns {{ id: string, heading: string, level: number, text: string }[]} sections in the order of the page, then terms */
export function sectionsOf(tokens) {
  const sections = [{ id: '', heading: '', level: 1, parts: [] }];
  const terms = [];
  for (const token of tokens) {
    const { parts } = sections.at(-1);
    if (token.type === 'heading') {
      sections.push({ id: token.id, heading: wordsOf(token.tokens), level: token.depth, parts: [] });
    } else if (token.type === 'table') {
      parts.push(...token.rows.filter(({ id }) => id === undefined).map(wordsOfRow));
      for (const row of token.rows.filter(({ id }) => id !== undefined))
        terms.push({ id: row.id, heading: row.id, level: 0, parts: [wordsOfRow(row.slice(1))] });
    } else parts.push(wordsOf([token]));
  }
  return [...sections, ...terms]
    .map(({ parts, ...section }) => ({ ...section, text: parts.join(' ').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '');
}
