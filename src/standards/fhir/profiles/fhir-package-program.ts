import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { R4Definitions } from '../definitions/r4-definitions.js';
import { packageFiles } from './fhir-package.js';
import { PACKAGE_NAME, PACKAGE_VERSION } from './implementation-guide.js';
import { profilesDirectory, ProfileLibrary } from './profile-library.js';
import { packTar } from './tar-archive.js';

/** `npm run fhir:package`: the folder and the archive below fhir-profiles/dist/. Needs no network. */
const output = join(profilesDirectory(), 'dist');
const files = packageFiles(new ProfileLibrary(new R4Definitions()));
rmSync(output, { recursive: true, force: true });
for (const [path, bytes] of files) {
  mkdirSync(join(output, dirname(path)), { recursive: true });
  writeFileSync(join(output, path), bytes);
}
const archive = join(output, `${PACKAGE_NAME}-${PACKAGE_VERSION}.tgz`);
writeFileSync(archive, gzipSync(packTar(files), { level: 9 }));
process.stdout.write(`${relative(process.cwd(), archive)}: ${files.size} files\n`);
