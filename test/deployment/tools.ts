import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of the PATH; undefined where it is not installed, which the output says with `without`. */
export function findTool(name: string, without: string): string | undefined {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => isExecutable(file));
  if (found === undefined) process.stdout.write(`${name} is not on the PATH: ${without}\n`);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
