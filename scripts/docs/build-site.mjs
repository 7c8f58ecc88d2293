// The docs site, made where it is not there of the same sources.
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stampOfSite } from './site-sources.mjs';

const BUILT_FROM = 'built-from';

const isOf = (stamp, folder) =>
  existsSync(join(folder, BUILT_FROM)) && readFileSync(join(folder, BUILT_FROM), 'utf8') === stamp;

/** True where it was done; false for one of these faults. */
function renamed(from, to, ...expected) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (expected.includes(error.code)) return false;
    throw error;
  }
}

/** Puts a finished folder into the place of another. Where another process was first, its site stays. */
function swap(draft, out) {
  const gone = `${draft}-gone`;
  renamed(out, gone, 'ENOENT');
  renamed(draft, out, 'ENOTEMPTY', 'EEXIST', 'EPERM');
  rmSync(gone, { recursive: true, force: true });
}

/**
 * Makes the docs site in `out`.
 * @param earlier folders of sites, which are taken where they are of the same sources
 * @returns {Promise<number>} how many pages were written; 0: the site was there
 */
export async function buildSite(root, out, earlier = []) {
  const stamp = stampOfSite(root);
  if (isOf(stamp, out)) return 0;
  // What is there is removed, so it has to be a site.
  if (existsSync(out) && !existsSync(join(out, BUILT_FROM)) && readdirSync(out).length > 0)
    throw new Error(`${out} holds other files than a docs site. Choose an empty folder.`);
  const draft = `${out}-draft-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    const same = earlier.find((folder) => isOf(stamp, folder));
    let count = 0;
    if (same !== undefined) cpSync(same, draft, { recursive: true });
    else {
      // Read where there is something to do: most builds find nothing changed.
      const { makeSite } = await import('./make-site.mjs');
      count = await makeSite(root, draft);
      writeFileSync(join(draft, BUILT_FROM), stamp);
    }
    swap(draft, out);
    return count;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
