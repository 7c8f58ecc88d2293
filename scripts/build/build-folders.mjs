// Builds lie in folders of their own, named by what they are made of, and `dist` is a link to the one in use: a
// program goes on reading the files of the build that it was started from, whatever is built meanwhile.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

const { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } = fs;

const BUILDS = '.cache/builds';
/** Who runs a build, a file for each process: programs make it at their start, by the line that `bundle.mjs` gives them. */
export const IN_USE = 'in-use';
/** Some programs cannot say that they run a build. Within this time it stays even so. */
const SPARED_MS = 60 * 60 * 1000;
const NEWEST_KEPT = 2;
const STAMP = /^[0-9a-f]{32}$/;
const DRAFT = /^draft-([0-9a-f]{32})-(\d+)-/;
const WITHDRAWN = /^(?:gone|link)-(\d+)-/;

const random = () => randomBytes(4).toString('hex');

/** The builds of a checkout. */
export class BuildFolders {
  constructor(root) {
    this.root = root;
    this.folder = join(root, BUILDS);
    this.dist = join(root, 'dist');
  }

  /** The complete build of this stamp, or null. */
  find(stamp) {
    const folder = join(this.folder, stamp);
    return existsSync(folder) ? folder : null;
  }

  /** Complete builds, the one used last first. */
  list() {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((name) => STAMP.test(name))
      .map((name) => ({ path: join(this.folder, name), usedMs: usedAt(join(this.folder, name)) }))
      .sort((a, b) => b.usedMs - a.usedMs);
  }

  /** An empty folder for a build that is being made, as deep as the finished one. */
  draft(stamp) {
    const draft = join(this.folder, `draft-${stamp}-${process.pid}-${random()}`);
    mkdirSync(join(draft, IN_USE), { recursive: true });
    return draft;
  }

  /** True while another living process makes the build of this stamp. */
  isBeingMade(stamp) {
    const names = existsSync(this.folder) ? readdirSync(this.folder) : [];
    return names.some((name) => {
      const [, made, pid] = DRAFT.exec(name) ?? [];
      return made === stamp && Number(pid) !== process.pid && isAlive(Number(pid));
    });
  }

  /** Gives a finished draft its name. Where another process was first, its build stays. */
  finish(draft, stamp) {
    const folder = join(this.folder, stamp);
    try {
      renameSync(draft, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
      rmSync(draft, { recursive: true, force: true });
    }
    return folder;
  }

  /** Takes back a draft that is not to become a build. */
  discard(draft) {
    rmSync(draft, { recursive: true, force: true });
  }

  /** Makes `dist` this build, in one step. Where that may not be written, as by a service account, it stays as it is. */
  use(folder) {
    try {
      const now = new Date();
      utimesSync(folder, now, now);
      if (!isLinkTo(this.dist, folder)) this.link(folder);
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    }
  }

  link(folder) {
    const link = join(this.folder, `link-${process.pid}-${random()}`);
    const onWindows = process.platform === 'win32';
    // The link's own words count from where it will lie.
    symlinkSync(onWindows ? folder : join(BUILDS, folder.slice(this.folder.length + 1)), link, 'junction');
    try {
      renameSync(link, this.dist);
    } catch {
      // A folder, as builds were made before, or Windows, where nothing is renamed onto a link.
      const there = lstatSync(this.dist, { throwIfNoEntry: false });
      if (there !== undefined) this.remove(this.dist);
      renameSync(link, this.dist);
    }
  }

  /** Removes what an interrupted build left, and builds that nobody runs any more. */
  prune() {
    for (const name of readdirSync(this.folder)) {
      const pid = DRAFT.exec(name)?.[2] ?? WITHDRAWN.exec(name)?.[1];
      if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(this.folder, name), { recursive: true, force: true });
    }
    for (const { path, usedMs } of this.list().slice(NEWEST_KEPT))
      if (Date.now() - usedMs > SPARED_MS && !isInUse(path) && !isLinkTo(this.dist, path)) this.remove(path);
  }

  /** Moved away first, so that nobody finds half of it. */
  remove(path) {
    const gone = join(this.folder, `gone-${process.pid}-${random()}`);
    renameSync(path, gone);
    rmSync(gone, { recursive: true, force: true });
  }
}

/** Notes that this process runs a build. What cannot be written there, as in an image, is not noted. */
export function noteUse(folder) {
  const note = join(folder, IN_USE, String(process.pid));
  try {
    fs.writeFileSync(note, '');
    process.once('exit', () => rmSync(note, { force: true }));
  } catch {
    // Nothing is built there either.
  }
}

function isInUse(folder) {
  const users = existsSync(join(folder, IN_USE)) ? readdirSync(join(folder, IN_USE)) : [];
  return users.some((pid) => isAlive(Number(pid)));
}

function isLinkTo(link, folder) {
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() !== true) return false;
  const target = statSync(link, { throwIfNoEntry: false });
  return target !== undefined && target.ino === statSync(folder).ino;
}

function usedAt(folder) {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
