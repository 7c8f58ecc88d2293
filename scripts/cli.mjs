import { runBuilt } from './built-program.mjs';

await runBuilt('cli.js');
