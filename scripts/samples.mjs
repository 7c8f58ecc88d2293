// Draws the sample photos, or those that are named, into samples/: npm run samples -- [NAME…]
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SAMPLES } from './samples/draw-samples.mjs';

const FOLDER = fileURLToPath(new URL('../samples/', import.meta.url));
const wanted = process.argv.slice(2);

await mkdir(FOLDER, { recursive: true });
for (const [name, draw] of Object.entries(SAMPLES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const bytes = await draw();
  await writeFile(join(FOLDER, `${name}.jpg`), bytes);
  process.stdout.write(`${name}.jpg ${bytes.length} bytes\n`);
}
