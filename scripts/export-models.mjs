import { runBuilt } from './built-program.mjs';

await runBuilt('tools/export-models.js');
