import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AbortSignalLike } from '../options.js';
import { openAccess } from './access.js';
import { Failure } from './misuse.js';
import { say } from './printing.js';
import { readSample, withOwnPixels } from './sample-photos.js';

const SAMPLE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

export interface SamplesWish {
  readonly out?: string;
  readonly fresh?: boolean;
  readonly url?: string;
}

/** Lists the samples, or saves those that are named (`all`: each) into a folder. */
export async function samples(names: readonly string[], wish: SamplesWish, signal: AbortSignalLike): Promise<void> {
  const { client } = openAccess(wish.url);
  if (names.length === 0) {
    for (const { name, sizeBytes, shows } of (await client.listSamples({ signal })).items)
      say(`${name.padEnd(14)} ${String(sizeBytes).padStart(7)}  ${shows}`);
    return;
  }
  const isAll = names.length === 1 && names[0] === 'all';
  const wanted = isAll ? (await client.listSamples({ signal })).items.map(({ name }) => name) : names;
  const folder = wish.out ?? '.';
  await mkdir(folder, { recursive: true });
  // A name of the service becomes one of a file.
  const odd = wanted.find((name) => !SAMPLE_NAME.test(name));
  if (odd !== undefined) throw new Failure(`"${odd}" is no name of a sample. "sutura samples" lists them.`);
  for (const name of wanted) {
    const photo = await readSample(client, name, signal);
    await save(join(folder, `${name}.jpg`), wish.fresh === true ? withOwnPixels(photo) : photo);
  }
}

/** Never over a file that is there. */
async function save(path: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (fault) {
    if ((fault as { code?: unknown }).code !== 'EEXIST') throw fault;
    throw new Failure(`${path} is there already, and was left as it is. Give another folder by --out.`);
  }
  say(path);
}
