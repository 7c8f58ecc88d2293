// What is shipped, as CycloneDX 1.6 with native parts, fonts and models: npm run sbom -- [--out sbom.cdx.json]
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './sbom/bill-of-materials.mjs';
import { requireFit, writeBill } from './sbom/write-bill.mjs';
import { revisionOfSources, secondOfSources } from './source-state.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const USAGE = `Usage: npm run sbom -- [--out FILE]
       npm run sbom -- --check FILE

--out    the file to write; default: sbom.cdx.json. Nothing is written that the schema of CycloneDX 1.6 does not allow.
--check  compares a bill with that schema; ends with 1 if it does not fit.

Run it after npm ci. An image has a bill of its own: npm run image -- --out FILE --sbom FILE.
The same sources, packages and SOURCE_DATE_EPOCH (default: the time of the last commit) make the same bytes.
`;

async function main() {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'sbom.cdx.json' },
      check: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) process.stdout.write(USAGE);
  else if (values.check !== undefined) await requireFit(await readFile(resolve(values.check), 'utf8'));
  else await write(values.out);
}

async function write(file) {
  const bill = await billOfMaterials(ROOT, { createdS: secondOfSources(), revision: revisionOfSources() });
  await writeBill(resolve(file), bill);
  process.stdout.write(`${bill.components.length} components in ${file}\n`);
}

await main().catch((fault) => {
  process.stderr.write(`No bill of materials: ${fault.message}\n`);
  process.exitCode = 1;
});
