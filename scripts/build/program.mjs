// Compiles src, migrations and tools, file by file. Types are checked by `npm run check`, which takes longer.
import { copyFileSync, existsSync, linkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { PROGRAMS } from './bundle.mjs';
import { PROGRAM_FOLDERS } from './sources.mjs';

/** As tsconfig.json says it to TypeScript. */
export const COMPILER = {
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

async function compile(source, target) {
  const sourceFileName = relative(dirname(target), source).replaceAll('\\', '/');
  const { code, map } = await transformFile(source, { ...COMPILER, sourceFileName });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${code}\n//# sourceMappingURL=${basename(target)}.map\n`);
  await writeFile(`${target}.map`, map);
}

/** Bundled over their single files afterwards, which must not reach into an earlier build. */
const BUNDLED = new Set(PROGRAMS.map((program) => `src/${program}.js`));

const targetOf = (path) => path.replace(/\.ts$/, '.js');

/** Takes a file from an earlier build of the same source, as a second name for it where the disk allows. */
async function take(earlier, target) {
  await mkdir(dirname(target), { recursive: true });
  for (const [from, to] of [
    [earlier, target],
    [`${earlier}.map`, `${target}.map`],
  ]) {
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, to);
    }
  }
}

/**
 * Compiles every source but tests into `out`, which holds nothing else afterwards. Fails at the first that is not
 * TypeScript.
 * @param earlier builds that files whose sources did not change are taken from
 */
export async function compileProgram(root, out, { digests, makers }, earlier) {
  const sameMakers = earlier.filter((build) => build.makers === makers);
  const isCompiled = (path) => path.endsWith('.ts') && PROGRAM_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
  // Each has ended when this does, so that none writes into a folder that is being taken back.
  const compiled = await Promise.allSettled(
    Object.keys(digests)
      .filter(isCompiled)
      .map((path) => {
        const name = targetOf(path);
        const same = sameMakers.find((build) => build.digests[path] === digests[path]);
        return same !== undefined && !BUNDLED.has(name) && existsSync(join(same.folder, name))
          ? take(join(same.folder, name), join(out, name))
          : compile(join(root, path), join(out, name));
      }),
  );
  const failed = compiled.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
