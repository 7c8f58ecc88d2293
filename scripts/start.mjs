import { runBuilt } from './built-program.mjs';

await runBuilt('src/main.js');
