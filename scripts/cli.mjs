import { runBuilt } from './built-program.mjs';

await runBuilt('src/cli.js');
