// Script, style and mark of the docs site.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const DARK = /:root\[data-theme='dark'\] (\{[^}]*\})/;
const PACKAGE = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** The colours of the console, by what the system asks for: no script has to run before a page is dark. */
const themeBySystem = {
  name: 'theme-by-system',
  setup(bundler) {
    bundler.onLoad({ filter: /\/theme\.css$/ }, ({ path }) => {
      const theme = readFileSync(path, 'utf8');
      if (!DARK.test(theme)) throw new Error(`${path} has no dark colours where the docs look for them.`);
      return { contents: theme.replace(DARK, '@media (prefers-color-scheme: dark) { :root $1 }'), loader: 'css' };
    });
  },
};

/** Writes docs.css, docs.js, mark.svg, and the names of the packages whose code is in the script. */
export async function makeAssets(root, out) {
  mkdirSync(out, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['web/src/docs/docs.ts', 'web/src/docs/docs.css'],
    outdir: out,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'warning',
    plugins: [themeBySystem],
  });
  const names = Object.keys(metafile.inputs).flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  writeFileSync(join(out, 'bundled-packages.json'), JSON.stringify([...new Set(names)].sort()));
  copyFileSync(join(root, 'web/public/mark.svg'), join(out, 'mark.svg'));
}
