import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BuildFolders } from './build-folders.mjs';
import { readSources } from './sources.mjs';

const MANIFEST = 'sources.json';
const POLL_MS = 50;

/** The folder of the build of the sources as they are now, with `dist` leading to it; null: it is still to be made. */
export function findBuilt(root) {
  // A delivery has the build alone.
  if (!existsSync(join(root, 'src'))) return join(root, 'dist');
  const builds = new BuildFolders(root);
  const built = builds.find(readSources(root).stamp);
  if (built !== null) builds.use(built);
  return built;
}

/** As `findBuilt`; makes the build where there is none, and leaves every other as it is. Its docs are those of today. */
export async function ensureBuilt(root) {
  for (;;) {
    const built = findBuilt(root);
    if (built !== null) return withDocs(root, built);
    await make(root, new BuildFolders(root), readSources(root));
  }
}

/** A page of the docs is no source of a program: the site alone is made anew, in its place. */
async function withDocs(root, built) {
  if (!existsSync(join(root, 'src'))) return built;
  const { buildSite } = await import('../docs/build-site.mjs');
  await buildSite(root, join(built, 'docs'));
  return built;
}

async function make(root, builds, sources) {
  if (builds.isBeingMade(sources.stamp)) return waitForOther(builds, sources.stamp);
  const draft = builds.draft(sources.stamp);
  try {
    const { compileProgram } = await import('./program.mjs');
    const { bundlePrograms } = await import('./bundle.mjs');
    const { buildPages } = await import('./pages.mjs');
    const { buildSite } = await import('../docs/build-site.mjs');
    const earlier = builds.list().map(({ path }) => path);
    await compileProgram(root, draft, sources, manifestsOf(earlier));
    await bundlePrograms(draft);
    await buildPages(
      root,
      join(draft, 'web'),
      sources.pages,
      earlier.map((path) => join(path, 'web')),
    );
    await buildSite(
      root,
      join(draft, 'docs'),
      earlier.map((path) => join(path, 'docs')),
    );
    writeFileSync(join(draft, MANIFEST), JSON.stringify(sources));
  } catch (error) {
    builds.discard(draft);
    throw error;
  }
  // A source that was saved meanwhile may be in the build or not: its stamp would not tell.
  if (readSources(root).stamp !== sources.stamp) return builds.discard(draft);
  builds.use(builds.finish(draft, sources.stamp));
  builds.prune();
}

async function waitForOther(builds, stamp) {
  while (builds.find(stamp) === null && builds.isBeingMade(stamp)) await delay(POLL_MS);
}

function manifestsOf(folders) {
  return folders.flatMap((folder) => {
    const manifest = join(folder, MANIFEST);
    return existsSync(manifest) ? [{ folder, ...JSON.parse(readFileSync(manifest, 'utf8')) }] : [];
  });
}
