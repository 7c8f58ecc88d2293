import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
const PROGRAM_MODE = 0o755;

/**
 * The files of a layer by their path in the image. Owners and modes are the image's, not those of this machine: root,
 * readable by all, writable by its owner.
 */
export class FileTree {
  entries = new Map();

  addFolder(path, { mode = FOLDER_MODE, owner = 0 } = {}) {
    this.put({ path, kind: 'folder', mode, owner });
  }

  addText(path, text, mode = FILE_MODE) {
    this.put({ path, kind: 'file', mode, bytes: Buffer.from(text) });
  }

  /** A file, a link, or a folder with all that `keeps(path below it)` says yes to. */
  async addFrom(source, path, keeps = () => true) {
    const stats = await lstat(source);
    if (stats.isSymbolicLink()) this.put({ path, kind: 'link', mode: 0o777, target: await readlink(source) });
    else if (stats.isFile()) this.put(fileOf(path, source, stats));
    else if (stats.isDirectory()) await this.addBelow(source, path, '', keeps);
  }

  /** Sorted, each folder before what is in it. */
  list() {
    return [...this.entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  get sizeBytes() {
    return this.list().reduce((sum, { bytes, sizeBytes = 0 }) => sum + (bytes?.length ?? sizeBytes), 0);
  }

  async addBelow(source, path, inside, keeps) {
    for (const entry of await readdir(join(source, inside), { withFileTypes: true })) {
      const below = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) await this.addBelow(source, path, below, keeps);
      else if (keeps(below)) await this.addFrom(join(source, below), path === '' ? below : `${path}/${below}`);
    }
  }

  put(entry) {
    const parent = entry.path.split('/').slice(0, -1).join('/');
    if (parent !== '' && !this.entries.has(parent)) this.addFolder(parent);
    this.entries.set(entry.path, entry);
  }
}

function fileOf(path, source, { mode, size }) {
  return { path, kind: 'file', mode: (mode & 0o111) === 0 ? FILE_MODE : PROGRAM_MODE, sizeBytes: size, source };
}
