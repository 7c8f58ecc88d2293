// The pages below docs/ as a static site, which the gateway serves at /docs: npm run docs -- [--out FOLDER]
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build/ensure-built.mjs';
import { buildSite } from './docs/build-site.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE = `Usage: npm run docs -- [--out FOLDER]

--out  the folder of the site; default: the one that the gateway serves, dist/docs, with the build if there is none.

The site needs no other host: any web server can serve the folder.
`;

const { values } = parseArgs({ options: { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) process.stdout.write(USAGE);
else {
  const out = values.out === undefined ? join(await ensureBuilt(ROOT), 'docs') : resolve(values.out);
  const began = performance.now();
  const count = await buildSite(ROOT, out);
  const said = count === 0 ? 'up to date' : `${count} pages in ${((performance.now() - began) / 1000).toFixed(1)} s`;
  process.stdout.write(
    `${said}: ${existsSync(join(ROOT, 'dist/docs')) && values.out === undefined ? 'dist/docs' : out}\n`,
  );
}
