// Draws the sample photos that the gateway hands out, into samples/: npm run samples
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawSamples } from './samples/draw-samples.mjs';

const FOLDER = fileURLToPath(new URL('../samples/', import.meta.url));

await mkdir(FOLDER, { recursive: true });
for (const [name, bytes] of Object.entries(await drawSamples())) {
  await writeFile(join(FOLDER, `${name}.jpg`), bytes);
  process.stdout.write(`${name}.jpg ${bytes.length} bytes\n`);
}
