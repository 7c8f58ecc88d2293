import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const CONTRACT = resolve(__dirname, '../../sdk/contract');

interface Named {
  readonly name: string;
  /** Of a webhook: the signature that a library needs to know, where that is not v1. */
  readonly scheme?: 'v1a';
}

async function read(file: string): Promise<unknown> {
  return JSON.parse(await readFile(join(CONTRACT, file), 'utf8'));
}

/** All cases of the suite that the client libraries share. */
export async function contractCases(): Promise<Named[]> {
  const files = (await readdir(join(CONTRACT, 'cases'))).filter((name) => name.endsWith('.json'));
  return (await Promise.all(files.map((name) => read(join('cases', name)) as Promise<Named[]>))).flat();
}

/** The webhooks, good and bad, that they share. */
export async function webhookVectors(): Promise<Named[]> {
  return ((await read('webhook-vectors.json')) as { vectors: Named[] }).vectors;
}
