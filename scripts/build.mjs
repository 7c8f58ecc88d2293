// Builds what `npm start` and every command run: the program into dist, and the pages into web/dist.
import { bundlePrograms } from './build/bundle.mjs';
import { buildPages } from './build/pages.mjs';
import { compileProgram } from './build/program.mjs';

await compileProgram();
await bundlePrograms();
await buildPages();
