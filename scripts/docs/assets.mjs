// Script, style and mark of the docs site.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';

const DARK = /:root\[data-theme='dark'\] (\{[^}]*\})/;
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** The colours of the console, by what the system asks for: no script has to run before a page is dark. */
function themeOf(root) {
  const theme = readFileSync(join(root, 'web/src/shared/theme.css'), 'utf8');
  if (!DARK.test(theme)) throw new Error('web/src/shared/theme.css has no dark colours where the docs look for them.');
  return theme.replace(DARK, '@media (prefers-color-scheme: dark) { :root $1 }');
}

/** Writes docs.css, docs.js, mark.svg, and the names of the packages whose code is in the script. */
export async function makeAssets(root, out) {
  mkdirSync(out, { recursive: true });
  const styles = themeOf(root) + readFileSync(join(root, 'web/src/docs/docs.css'), 'utf8');
  const { code } = await transform(styles, { loader: 'css', minify: true });
  writeFileSync(join(out, 'docs.css'), code);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['web/src/docs/docs.ts'],
    outfile: join(out, 'docs.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'warning',
  });
  const names = Object.keys(metafile.inputs).flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  writeFileSync(join(out, 'bundled-packages.json'), JSON.stringify([...new Set(names)].sort()));
  copyFileSync(join(root, 'web/public/mark.svg'), join(out, 'mark.svg'));
}
