// The pages below docs/ as a static site, which the gateway serves at /docs: npm run docs -- [--out FOLDER]
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build/ensure-built.mjs';
import { buildSite } from './docs/build-site.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE = `Usage: npm run docs -- [--out FOLDER]

--out  the folder of the site; default: the one that the gateway serves, dist/docs, with the build if there is none.

The site needs no other host: any web server can serve the folder.
`;

async function main() {
  const { values } = parseArgs({ options: { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) return USAGE;
  if (values.out === undefined) {
    await ensureBuilt(ROOT);
    return 'dist/docs has the pages as they are.\n';
  }
  const count = await buildSite(ROOT, resolve(values.out));
  return `${values.out} has the pages as they are${count === 0 ? ' already' : `: ${count}`}.\n`;
}

await main().then(
  (said) => process.stdout.write(said),
  (fault) => {
    process.stderr.write(`No site was made: ${fault.message}\n`);
    process.exitCode = 1;
  },
);
