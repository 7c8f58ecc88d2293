import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** The second that what is made of these sources is dated with: SOURCE_DATE_EPOCH, else that of the last commit. */
export function secondOfSources() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given === undefined || given === '') return Number(git('log', '-1', '--format=%ct'));
  if (!/^\d{1,11}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH must be a number of seconds.');
  return Number(given);
}

/** The commit, and whether the files are those of it. */
export function revisionOfSources() {
  try {
    return `${git('rev-parse', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '-changed'}`;
  } catch {
    return 'unknown';
  }
}
