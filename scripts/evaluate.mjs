import { runBuilt } from './built-program.mjs';

await runBuilt('evaluate.js');
