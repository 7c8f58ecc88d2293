import { blocksOf, FILES, textOf } from './pages.js';

/** FLOORS of .dependency-cruiser.cjs: by folder of src, the folders inside it, roof first. */
const [, table] = /^const FLOORS = (\{[\s\S]*?^\});$/m.exec(textOf('.dependency-cruiser.cjs'))!;
const FLOORS = Object.entries(new Function(`return ${table}`)() as Record<string, string[][]>);

/** The folders that a line of the drawing names: the words before its text. */
const foldersOf = (line: string): string[] => (/^(\S+(?: [|·] \S+)*)/.exec(line)?.[1] ?? '').split(/ [|·] /);

it('folders of src have floors', () => {
  expect(FLOORS.length).toBeGreaterThan(5);
});

const PAGES = FLOORS.map(
  ([folder, floors]) =>
    [folder.startsWith('tools/') ? `${folder}/README.md` : `src/${folder}/README.md`, floors] as const,
);

describe.each(PAGES)('%s', (page, floors) => {
  it('draws the floors that lint holds, roof first', () => {
    expect(FILES).toContain(page);
    const lines = blocksOf(textOf(page)).blocks.flatMap((block) => block.split('\n').map(foldersOf));
    const drawn = floors.map((floor) =>
      floor
        .filter((name) => name !== '.')
        .map((name) => [name, lines.findIndex((names) => names.includes(name))] as const),
    );
    expect(drawn.flat().filter(([, line]) => line === -1)).toEqual([]);
    const heights = drawn.filter((floor) => floor.length > 0).map((floor) => floor.map(([, line]) => line));
    const upsideDown = heights.slice(1).filter((floor, above) => Math.min(...floor) <= Math.max(...heights[above]!));
    expect(upsideDown).toEqual([]);
  });
});
