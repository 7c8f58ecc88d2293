import { createHash, randomBytes } from 'node:crypto';
import type { SuturaClient } from '../client.js';
import type { AbortSignalLike } from '../options.js';
import { Failure } from './misuse.js';

/** The photo, whose digest is that of the list. Failure for a name that the list has not. */
export async function readSample(client: SuturaClient, name: string, signal: AbortSignalLike): Promise<Buffer> {
  const { items } = await client.listSamples({ signal });
  const sample = items.find((one) => one.name === name);
  if (sample === undefined)
    throw new Failure(`There is no sample "${name}". The service has: ${items.map((one) => one.name).join(', ')}.`);
  const bytes = await client.downloadSample(name, { signal });
  if (createHash('sha256').update(bytes).digest('hex') !== sample.sha256)
    throw new Failure(
      `The bytes of ${name} are not those of the list: something between here and the service changes them.`,
    );
  return Buffer.from(bytes);
}

const QUANTIZATION_TABLE = 0xdb;
const START_OF_SCAN = 0xda;
/** Of the 64 steps of a table in zigzag order: those of fine detail, where a change of one cannot be seen. */
const FINE = { from: 1 + 28, to: 1 + 64 };

/**
 * A copy of a baseline JPEG (ITU-T T.81 B.2.4.1) with pixels of its own: steps of its quantization tables are one larger, drawn by chance. The service knows a
 * photo by its bytes and pixels, and a second patient with the same one waits for a person.
 */
export function withOwnPixels(jpeg: Buffer): Buffer {
  const copy = Buffer.from(jpeg);
  for (let at = 2; copy[at] === 0xff && copy[at + 1] !== START_OF_SCAN; at += 2 + copy.readUInt16BE(at + 2)) {
    if (copy[at + 1] !== QUANTIZATION_TABLE) continue;
    const end = at + 2 + copy.readUInt16BE(at + 2);
    // Tables of 8-bit steps alone; each has a byte that says which it is.
    for (let table = at + 4; table + 65 <= end && (copy[table] ?? 0) < 16; table += 65) enlarge(copy, table);
  }
  return copy;
}

function enlarge(jpeg: Buffer, table: number): void {
  const chance = randomBytes(FINE.to - FINE.from);
  for (let place = FINE.from; place < FINE.to; place += 1) {
    const step = jpeg[table + place] ?? 0;
    if ((chance[place - FINE.from] ?? 0) % 2 === 1 && step < 255) jpeg[table + place] = step + 1;
  }
}
