import { chooseLanguage } from './language.js';

describe('the language of a document', () => {
  it.each(['it', '', 'xx', 'english', '../de', '*'])('is not guessed where the query asks for %p', (query) => {
    expect(chooseLanguage(query, 'de')).toBeNull();
  });

  it.each([
    ['de', 'fr', 'de'],
    ['DE', undefined, 'de'],
    ['es-MX', 'fr', 'es'],
  ])('is what the query %p asks for, before the header', (query, header, language) => {
    expect(chooseLanguage(query, header)).toBe(language);
  });

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['it, pt;q=0.8', 'en'],
    ['de', 'de'],
    ['de-CH', 'de'],
    ['fr-CA, fr;q=0.9, en;q=0.8', 'fr'],
    ['en;q=0.3, es;q=0.7', 'es'],
    ['it, de;q=0.4, fr;q=0.5', 'fr'],
    ['es, fr', 'es'],
    ['de;q=0, *', 'en'],
    ['en;q=0, *;q=0.5', 'es'],
    ['en;q=0, de;q=0, *', 'es'],
    ['de;q=0', 'en'],
    ['en-GB;q=0, en;q=0.4', 'en'],
    ['*', 'en'],
    ['de;q=1.5, fr;q=0.1', 'fr'],
    ['de;q=abc, es;q=0.2', 'es'],
    [' es ; q=0.900 ', 'es'],
    [`${'xx,'.repeat(1000)}de`, 'en'],
  ])('follows the header %p', (header, language) => {
    expect(chooseLanguage(undefined, header)).toBe(language);
  });
});
