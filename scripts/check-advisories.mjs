// Compares package-lock.json with advisories.json, without a network: node scripts/check-advisories.mjs [lock file]. Part of npm run lint.
import { readFile } from 'node:fs/promises';

const root = new URL('..', import.meta.url);
const { advisories } = JSON.parse(await readFile(new URL('advisories.json', root), 'utf8'));
const { packages } = JSON.parse(await readFile(process.argv[2] ?? new URL('package-lock.json', root), 'utf8'));

const found = Object.entries(packages).flatMap(([path, { version }]) => {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return advisories
    .filter(
      (advisory) =>
        advisory.package === name &&
        advisory.affected.some(([from, before]) => !isBelow(version, from) && isBelow(version, before)),
    )
    .map(
      ({ id, affected }) => `${path} ${version}: ${id}, fixed in ${affected.map(([, before]) => before).join(' and ')}`,
    );
});
if (found.length > 0) {
  process.stderr.write(`Known advisories (docs/decisions/0006-dependency-advisories.md):\n  ${found.join('\n  ')}\n`);
  process.exitCode = 1;
}

/** Semantic Versioning 2.0.0, 11: a pre-release counts as the version before its release. */
function isBelow(version, other) {
  const [[left, pre], [right]] = [version, other].map((text) => [
    text.split(/[-+]/)[0].split('.').map(Number),
    text.includes('-'),
  ]);
  const index = left.findIndex((number, place) => number !== right[place]);
  return index === -1 ? pre : left[index] < right[index];
}
