import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder of this name above the program, which runs from src/ and from dist/src/. Throws where there is none. */
export function dataFolder(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, name);
    if (existsSync(candidate)) return candidate;
  }
  throw new Error(`The folder ${name} is missing beside this program.`);
}
