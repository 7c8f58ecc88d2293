// The gateway, started again within two seconds after a source was saved; its embedded database stays.
//   npm run start:dev       npm run start:debug    the same, for a debugger at 127.0.0.1:9229
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AppPack } from './dev/app-pack.mjs';
import { GatewayTurns } from './dev/gateway-turns.mjs';
import { watchSources } from './dev/watch-sources.mjs';
import { buildPages } from './build/pages.mjs';
import { buildSite } from './docs/build-site.mjs';
import { BuildFolders, isAlive } from './build/build-folders.mjs';
import { readSources } from './build/sources.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PLACE = join(ROOT, '.cache/dev');
const FOLDER = join(PLACE, String(process.pid));
const PAGES = join(PLACE, 'pages');
const DOCS = join(PLACE, 'docs');

const { values } = parseArgs({ options: { inspect: { type: 'boolean' }, 'inspect-port': { type: 'string' } } });
const inspect = values.inspect ? { host: '127.0.0.1', port: Number(values['inspect-port'] ?? 9229) } : null;
const say = (text) => process.stderr.write(`start:dev: ${text}\n`);

function makeFolder() {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(PLACE))
    if (/^\d+$/.test(name) && !isAlive(Number(name))) rmSync(join(PLACE, name), { recursive: true, force: true });
}

/** What all sources import together, but for what is read later. */
function packagesOf(pack) {
  const names = [...pack.compiled.values()].flatMap(({ code }) =>
    [...code.matchAll(/^(?:const \w+ = .*)?require\("([^".][^"]*)"\)/gm)].map(([, name]) => name),
  );
  return [...new Set(names)];
}

/** The embedded database belongs to this process, and each gateway joins it; null where DATABASE_URL names another. */
async function openDatabase() {
  const run = createRequire(import.meta.url)(join(FOLDER, 'app.cjs'));
  const { readSettings } = run('src/platform/config/settings.js');
  const { openDatabase: open } = run('src/platform/database/open-database.js');
  const { Logger } = run('src/platform/logging/logger.js');
  const settings = readSettings(process.env);
  return settings.database.url === undefined ? open(settings, Logger.create(settings.process.logLevel)) : null;
}

makeFolder();
const pack = new AppPack(ROOT, FOLDER);
const builds = new BuildFolders(ROOT).list().map(({ path }) => path);
const inBuilds = (name) => builds.map((path) => join(path, name));
await buildPages(ROOT, PAGES, readSources(ROOT).pages, [PAGES, ...inBuilds('web')]);
await buildSite(ROOT, DOCS, inBuilds('docs'));
await pack.open({ web: PAGES, docs: DOCS });
const database = await openDatabase().catch((error) => {
  say(error.message);
  process.exit(1);
});
const turns = new GatewayTurns({ folder: FOLDER, packages: packagesOf(pack), inspect, say });

/** One change after the other. */
let work = turns.next();
const unwatch = watchSources([join(ROOT, 'src'), join(ROOT, 'migrations')], (paths) => {
  work = work.then(async () => {
    try {
      if (await pack.update(paths)) await turns.next();
    } catch (error) {
      say(`The gateway before runs on.\n${error.message}`);
    }
  });
});

let isEnding = false;
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, async () => {
    if (isEnding) return;
    isEnding = true;
    unwatch();
    await turns.end();
    await work;
    await database?.stop();
    rmSync(FOLDER, { recursive: true, force: true });
    process.exit(0);
  });
