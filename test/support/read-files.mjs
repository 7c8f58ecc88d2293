// Loaded into a program before its own code (node --import): at its end, the CommonJS files that it has read, in READ_FILES.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { cache } = createRequire(import.meta.url);
process.on('exit', () => writeFileSync(process.env.READ_FILES, JSON.stringify(Object.keys(cache))));
