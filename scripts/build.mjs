// Builds what `npm start` and every command run, program and pages, where the sources changed; `dist` leads to it.
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build/ensure-built.mjs';

await ensureBuilt(fileURLToPath(new URL('..', import.meta.url)));
