import { runBuilt } from './built-program.mjs';

await runBuilt('tools/evaluate.js');
