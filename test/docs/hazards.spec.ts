import { FILES, rowsOf, textOf } from './pages.js';

const PAGE = 'docs/hazards.md';
const SEVERITIES = ['negligible', 'minor', 'serious', 'critical', 'catastrophic'];
const KINDS = ['design', 'protection', 'information'];

const HAZARDS = textOf(PAGE)
  .split(/^## (?=H\d)/m)
  .slice(1)
  .map((part) => {
    const [title, ...rest] = part.split(/^## /m)[0]!.split('\n');
    return { title: title!, body: rest.join('\n') };
  });

const CONTROLS = HAZARDS.flatMap(({ title, body }) =>
  rowsOf(body)
    .filter(([control]) => control !== 'Control')
    .map(([control, kind, test]) => ({ hazard: title, control: control!, kind: kind!, test: test! })),
);

/** A call of jest's it or test, on its own line or after the rows of an each, with exactly this title. */
function isTitleIn(file: string, title: string): boolean {
  const literal = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])${literal}\\1,\\s*(async )?(\\(|\\w+ =>)`).test(textOf(file));
}

describe('docs/hazards.md', () => {
  it('numbers its hazards from 1 without a gap', () => {
    expect(HAZARDS.length).toBeGreaterThan(15);
    expect(HAZARDS.map(({ title }) => title.split(':')[0])).toEqual(HAZARDS.map((_, place) => `H${place + 1}`));
  });

  it.each(HAZARDS)('$title has a sequence, a harm, a severity and a control', ({ title, body }) => {
    for (const name of ['Sequence', 'Harm']) expect(body).toMatch(new RegExp(`^- \\*\\*${name}\\*\\*: .{8,}`, 'm'));
    expect(SEVERITIES).toContain(/^- \*\*Severity\*\*: (\w+)$/m.exec(body)?.[1]);
    expect(CONTROLS.filter(({ hazard }) => hazard === title)).not.toEqual([]);
  });

  it.each(CONTROLS)('$hazard: "$control" names a test that exists', ({ kind, test }) => {
    const [, file, title] = /^`([^`]+)` "(.+)"$/.exec(test) ?? [];
    expect(KINDS).toContain(kind);
    expect(FILES).toContain(file);
    expect([title, isTitleIn(file!, title!)]).toEqual([title, true]);
  });

  it('would miss a test that was renamed', () => {
    expect(isTitleIn('test/docs/hazards.spec.ts', 'would miss a test that was renamed')).toBe(true);
    expect(isTitleIn('test/docs/hazards.spec.ts', 'would miss a test')).toBe(false);
  });
});
