import { SOURCES, textOf } from './pages.js';

const PAGE = textOf('docs/life-of-an-image.md');
const CODE = new Map(
  SOURCES.flatMap((file) => {
    const text = textOf(file);
    return [...text.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)].map(([, name]) => [
      name!,
      text,
    ]);
  }),
);
/** Resource types and the name of the page's product: words that no file of src declares. */
const FOREIGN = new Set('BodyStructure ServiceRequest DiagnosticReport PostgreSQL GeoJSON MultiPolygon'.split(' '));

describe('docs/life-of-an-image.md', () => {
  const methods = [...PAGE.matchAll(/\b([A-Z]\w+)\.([a-z]\w+)\b/g)].map(
    ([, owner, method]) => [owner!, method!] as const,
  );

  it('names methods', () => {
    expect(methods.length).toBeGreaterThan(5);
  });

  it('names methods that their class has', () => {
    const missing = methods.filter(([owner, method]) => !new RegExp(`\\b${method}\\b`).test(CODE.get(owner) ?? ''));
    expect(missing).toEqual([]);
  });

  it('names classes and types that src declares', () => {
    const named = [...PAGE.matchAll(/\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g)].map(([name]) => name);
    expect([...new Set(named)].filter((name) => !CODE.has(name) && !FOREIGN.has(name))).toEqual([]);
  });
});
