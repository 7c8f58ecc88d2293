import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const ROOT = resolve(__dirname, '../..');

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.cache', '.data', 'out', 'coverage']);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [relative(ROOT, path)];
  });
}

/** Every file of the repository by its path from the root, installed and built ones left out. */
export const FILES: readonly string[] = filesBelow(ROOT);

export const FOLDERS: ReadonlySet<string> = new Set(
  FILES.flatMap((file) => {
    const parts = file.split('/').slice(0, -1);
    return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
  }),
);

export const SOURCES: readonly string[] = FILES.filter(
  (file) => /^(?:src|tools)\//.test(file) && file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The body of each fenced block, and the page without them. */
export function blocksOf(page: string): { readonly blocks: readonly string[]; readonly prose: string } {
  const fence = /^```.*\n([\s\S]*?)^```$/gm;
  return { blocks: [...page.matchAll(fence)].map(([, body]) => body!), prose: page.replace(fence, '') };
}

/** The rows of all tables, each as its cells; the lines under the headings are left out. */
export function rowsOf(page: string): string[][] {
  return [...page.matchAll(/^\|(.+)\|$/gm)]
    .map(([, row]) => row!.split('|').map((cell) => cell.trim()))
    .filter(([first]) => !/^[-:]*$/.test(first!));
}
