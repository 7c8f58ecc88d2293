// What is shipped, as CycloneDX 1.6 with native parts, fonts and models: npm run sbom -- [--out sbom.cdx.json]
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './sbom/bill-of-materials.mjs';
import { revisionOfSources, secondOfSources } from './source-state.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const USAGE = `Usage: npm run sbom -- [--out FILE]

--out  the file to write; default: sbom.cdx.json.

Run it after npm ci. An image has a bill of its own: npm run image -- --out FILE --sbom FILE.
The same sources, packages and SOURCE_DATE_EPOCH (default: the time of the last commit) make the same bytes.
`;

async function main() {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: 'sbom.cdx.json' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const bill = await billOfMaterials(ROOT, { createdS: secondOfSources(), revision: revisionOfSources() });
  await writeFile(resolve(values.out), `${JSON.stringify(bill, null, 2)}\n`);
  process.stdout.write(`${bill.components.length} components in ${values.out}\n`);
}

await main().catch((fault) => {
  process.stderr.write(`No bill of materials was made: ${fault.message}\n`);
  process.exitCode = 1;
});
