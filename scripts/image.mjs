// An image of the service for any container runtime, made without a registry or a daemon: npm run image -- --out sutura.oci.tar
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { debianBase } from './image/debian-base.mjs';
import { imageConfig } from './image/image-config.mjs';
import { nodeRuntime } from './image/node-binary.mjs';
import { writeArchive } from './image/oci-archive.mjs';
import { writeFolder } from './image/write-folder.mjs';
import { serviceParts } from './image/service-files.mjs';
import { billOfMaterials } from './sbom/bill-of-materials.mjs';
import { writeBill } from './sbom/write-bill.mjs';
import { revisionOfSources, secondOfSources } from './source-state.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MIB = 1024 * 1024;
/** As Debian, npm and Node.js call the same processor, so does the OCI. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

const USAGE = `Usage: npm run image -- --out FILE [--name sutura:VERSION] [--node PROGRAM] [--mirror URL] [--sbom FILE]
       npm run image -- --files FOLDER

--out     writes the image as an OCI archive: Debian's libraries (by mmdebstrap), Node.js (from npm), the service.
          podman load, docker load, skopeo copy and "ctr images import" read it.
--name    its name; default sutura: with the version of package.json.
--node    a Node.js to put into it, instead of the one from npm.
--mirror  where Debian's packages come from; default: the sources of this machine.
--sbom    writes what the image holds as CycloneDX 1.6 beside it.
--files   writes the service's own files alone into a folder, as the Containerfile wants them.

The same sources, packages and SOURCE_DATE_EPOCH (default: the time of the last commit) make the same bytes.
`;

function describe(parts, { imageId, digest, sizeBytes }, file) {
  const rows = parts.map(({ title, tree }) => [title, tree.sizeBytes]);
  const all = [...rows, ['all', rows.reduce((sum, [, bytes]) => sum + bytes, 0)]];
  return `${all.map(([title, bytes]) => `${(bytes / MIB).toFixed(1).padStart(7)} MiB  ${title}`).join('\n')}
${(sizeBytes / MIB).toFixed(1).padStart(7)} MiB  ${file}
image   ${imageId}
digest  ${digest}
`;
}

async function makeImage(file, { name, node, mirror, sbom }) {
  const architecture = ARCHITECTURES[process.arch];
  if (process.platform !== 'linux' || architecture === undefined)
    throw new Error('An image is made on Linux, on the processor that it is for: x64 or arm64.');
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const createdS = secondOfSources();
  const revision = revisionOfSources();
  const config = imageConfig({ version, revision, createdS });
  const draft = await mkdtemp(join(tmpdir(), 'sutura-image-'));
  try {
    const base = await debianBase(join(draft, 'debian'), mirror);
    process.stdout.write(`${base.packages.join('\n')}\n\n`);
    const runtime = await nodeRuntime(join(ROOT, '.cache'), node);
    const parts = [base, runtime, ...(await serviceParts(ROOT))];
    await mkdir(dirname(file), { recursive: true });
    const image = { name: name ?? `sutura:${version}`, createdS, architecture, config, layers: parts };
    const written = await writeArchive(file, image);
    if (sbom !== undefined) {
      const held = { nodeVersion: runtime.version, architecture, debianPackages: base.packages };
      const bill = await billOfMaterials(ROOT, { createdS, revision, image: held });
      await writeBill(resolve(sbom), bill);
    }
    process.stdout.write(describe(parts, written, file));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      out: text,
      files: text,
      name: text,
      node: text,
      mirror: text,
      sbom: text,
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) process.stdout.write(USAGE);
  else if (values.files !== undefined)
    for (const { tree } of await serviceParts(ROOT)) await writeFolder(tree, resolve(values.files));
  else if (values.out !== undefined) await makeImage(resolve(values.out), values);
  else {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  }
}

await main().catch((fault) => {
  process.stderr.write(`No image was made: ${fault.message}\n`);
  process.exitCode = 1;
});
