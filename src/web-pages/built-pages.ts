import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `dist/NAME` where this file runs from its source, else the folder of this name in the build that it is part of. */
export function builtPages(name: 'web' | 'docs'): string {
  const above = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const beside = join(above, 'dist', name);
  return existsSync(beside) ? beside : join(above, name);
}
