import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BUILT_FROM = 'built-from';

const isOf = (stamp, folder) =>
  existsSync(join(folder, BUILT_FROM)) && readFileSync(join(folder, BUILT_FROM), 'utf8') === stamp;

/**
 * Builds the pages into `out`.
 * @param stamp of their sources
 * @param earlier folders of pages, which are taken where they are of the same stamp
 */
export async function buildPages(root, out, stamp, earlier) {
  const same = earlier.find((folder) => isOf(stamp, folder));
  if (same === out) return;
  if (same !== undefined) return cpSync(same, out, { recursive: true });
  const { build } = await import('vite');
  await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn', build: { outDir: out } });
  writeFileSync(join(out, BUILT_FROM), stamp);
}
