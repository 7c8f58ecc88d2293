import { brokenPlace, placeOf } from './json-place.js';

const TEXT = `{
  "resourceType": "Bundle",
  "entry": [
    { "resource": { "resourceType": "Patient", "birthDate": "12.3.1950", "name": [{ "given": ["A\\"]", "B"] }] } },
    { "request": { "method": "POST" } }
  ]
}`;
const shown = (expression: string | null): string | null => {
  const place = placeOf(TEXT, expression);
  return place === null ? null : TEXT.slice(place.offset, place.offset + place.length);
};

describe('the place of a problem in pasted JSON', () => {
  it.each([
    ['', 1],
    ['{ "a": }', 1],
    ['{\n "a": 1\n "b": 2 }', 3],
    ['{ "a": 1, }', 1],
    ['[1, 2', 1],
    ['"unclosed', 1],
    ['{"a": "\\x"}', 1],
    ['[tru]', 1],
    [`${'['.repeat(5000)}`, 1],
  ])('is where the text %j stops to be JSON', (text, line) => {
    const broken = brokenPlace(text);
    expect(broken?.place.line).toBe(line);
    expect(broken?.words).not.toBe('');
  });

  it('is nowhere for the whole, and for what is no expression', () => {
    expect([shown(null), shown('Bundle'), shown('http.body')]).toEqual([null, null, TEXT]);
    expect(brokenPlace(TEXT)).toBeNull();
  });

  it('is the value that the expression names, or what would hold it', () => {
    expect(shown('Bundle.entry[0].resource.birthDate')).toBe('"12.3.1950"');
    expect(shown('Bundle.entry[1].request.url')).toBe('{ "method": "POST" }');
    expect(shown('Bundle.entry[0].resource.name.given[1]')).toBe('"B"');
    expect(shown("Bundle.entry[0].resource.name.where(use='usual')")).toBe('[{ "given": ["A\\"]", "B"] }]');
    expect(placeOf(TEXT, 'Bundle.entry[0].resource.birthDate')).toMatchObject({ line: 4, column: 61 });
  });
});
