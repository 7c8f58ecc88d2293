// Compiles src, migrations and tools into dist, file by file. Types are checked by `npm run check`, which takes longer.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['src', 'migrations', 'tools'];
/** As tsconfig.json says it to TypeScript. */
const COMPILER = {
  swcrc: false,
  sourceMaps: true,
  inlineSourcesContent: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'nodenext' },
};

async function compile(source) {
  const target = join(ROOT, 'dist', relative(ROOT, source)).replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(source, {
    ...COMPILER,
    sourceFileName: relative(dirname(target), source).replaceAll('\\', '/'),
  });
  await mkdir(dirname(target), { recursive: true });
  const name = target.slice(dirname(target).length + 1);
  await writeFile(target, `${code}\n//# sourceMappingURL=${name}.map\n`);
  await writeFile(`${target}.map`, map);
}

/** Compiles every source but tests; dist holds nothing else afterwards. Fails at the first that is not TypeScript. */
export async function compileProgram() {
  await rm(join(ROOT, 'dist'), { recursive: true, force: true });
  for (const folder of SOURCES) {
    const entries = await readdir(join(ROOT, folder), { recursive: true });
    const sources = entries.filter((path) => path.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(path));
    await Promise.all(sources.map((path) => compile(join(ROOT, folder, path))));
  }
}
