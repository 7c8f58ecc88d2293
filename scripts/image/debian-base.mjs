import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FileTree } from './file-tree.mjs';
import { ACCOUNT } from './service-files.mjs';

const run = promisify(execFile);
export const SUITE = 'bookworm';
/** What Node.js, ONNX Runtime and libvips link to, and the name of the system for scanners. */
const PACKAGES = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6'];
/** No program of Debian is kept: neither a shell nor anything else to start. */
const KEPT =
  /^(usr\/)?lib(64)?(\/|$)|^etc\/(os-release|debian_version|ld\.so\.conf(\.d\/.*)?)$|^usr\/share\/(doc\/[^/]+\/copyright|common-licenses\/)|^var\/lib\/dpkg\/status\.d\//;
/** Leaves the name, version and source of each package where scanners look in images without a package database. */
const KEEP_CONTROL = `--extract-hook=mkdir -p "$1/var/lib/dpkg/status.d" && for deb in "$1"/var/cache/apt/archives/*.deb; do dpkg-deb -f "$deb" > "$1/var/lib/dpkg/status.d/$(dpkg-deb -f "$deb" Package)"; done`;

/**
 * Debian's libraries alone, unpacked by mmdebstrap into `folder`; APT checks the archive's signature.
 * @param {string | undefined} mirror where packages come from; default: the sources of this machine
 * @returns {Promise<{ title: string, tree: FileTree, packages: readonly string[] }>}
 */
export async function debianBase(folder, mirror) {
  const args = [
    '--variant=extract',
    '--format=directory',
    `--include=${PACKAGES.join(',')}`,
    KEEP_CONTROL,
    SUITE,
    folder,
  ];
  await run('mmdebstrap', [...args, ...(mirror === undefined ? await machineSources() : [mirror])]).catch((fault) => {
    if (fault.code !== 'ENOENT') throw fault;
    throw new Error('mmdebstrap is missing. Install it, for example: apt-get install mmdebstrap');
  });
  const tree = new FileTree();
  await tree.addFrom(folder, '', (path) => KEPT.test(path));
  addAccount(tree);
  for (const path of ['dev', 'proc', 'sys']) tree.addFolder(path);
  tree.addFolder('tmp', { mode: 0o1777 });
  return { title: `Debian ${SUITE}: ${PACKAGES.join(', ')}`, tree, packages: await packagesOf(folder) };
}

/** The lists of this machine where they name the suite; else mmdebstrap's own choice. */
async function machineSources() {
  const folder = '/etc/apt';
  const parts = await readdir(join(folder, 'sources.list.d')).catch(() => []);
  const files = ['sources.list', ...parts.map((name) => `sources.list.d/${name}`)].map((name) => join(folder, name));
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8').catch(() => '')]));
  return texts
    .filter(([, text]) => /debian-archive-keyring|deb\.debian\.org/.test(text) && text.includes(SUITE))
    .map(([file]) => file);
}

function addAccount(tree) {
  const { name, id } = ACCOUNT;
  tree.addText(
    'etc/passwd',
    `root:x:0:0:root:/:/sbin/nologin\n${name}:x:${id}:${id}:${name}:/var/lib/${name}:/sbin/nologin\n`,
  );
  tree.addText('etc/group', `root:x:0:\n${name}:x:${id}:\n`);
  tree.addText('etc/nsswitch.conf', 'hosts: files dns\n');
}

async function packagesOf(folder) {
  const control = join(folder, 'var/lib/dpkg/status.d');
  const names = (await readdir(control)).sort();
  return Promise.all(
    names.map(async (name) => `${name} ${/^Version: (.*)$/m.exec(await readFile(join(control, name), 'utf8'))?.[1]}`),
  );
}
