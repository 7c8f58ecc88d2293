// A gateway that waits for its turn. It has read the packages, which is most of a start, and then the sources as they
// are now while the gateway before it ends.
import { subscribe } from 'node:diagnostics_channel';
import { open } from 'node:inspector';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, packages] = process.argv.slice(2);
const requireFrom = createRequire(pathToFileURL(`${folder}/app.cjs`));

for (const name of JSON.parse(packages)) {
  try {
    requireFrom(name);
  } catch {
    // Some need what a module sets first, and are read when that module has.
  }
}

const STEPS = {
  load() {
    requireFrom('./app.cjs')('src/composition/gateway.js');
  },
  async run({ inspect }) {
    if (inspect !== null) open(inspect.port, inspect.host);
    subscribe('tracing:net.server.listen:asyncEnd', () => process.connected && process.disconnect());
    await import(pathToFileURL(`${folder}/src/main.js`).href);
  },
};
let hasTurn = false;
process.on('message', ({ step, ...words }) => {
  hasTurn = true;
  void Promise.resolve(STEPS[step](words)).catch((error) => {
    process.stderr.write(`${error.stack ?? error}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => hasTurn || process.exit());
