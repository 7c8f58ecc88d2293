// The strict EHR of the tests (test/support/fake-ehr), made runnable beside them: its sources are TypeScript.
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What `test/support/fake-ehr/index.ts` exports. */
export async function loadFakeEhr() {
  const { build } = await import('esbuild');
  const folder = join(ROOT, '.cache/fake-ehr');
  await mkdir(folder, { recursive: true });
  // Two that start at once must not read each other's half.
  const outfile = join(folder, `fake-ehr-${process.pid}.mjs`);
  await build({
    entryPoints: [join(ROOT, 'test/support/fake-ehr/index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile);
  }
}
