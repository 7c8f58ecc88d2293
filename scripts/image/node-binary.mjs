import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FileTree } from './file-tree.mjs';

const run = promisify(execFile);
/** The newest of the line in .nvmrc that the tests ran on. */
export const NODE_VERSION = '24.21.0';
export const NODE_PATH = 'usr/local/bin/node';

/**
 * Node.js as npm's package of this platform carries it, without npm. It is fetched once into `cache`.
 * @param {string | undefined} binary a program to take instead
 */
export async function nodeRuntime(cache, binary) {
  const source = binary ?? (await fetchNode(cache));
  const { stdout } = await run(source, ['--version']);
  const tree = new FileTree();
  await tree.addFrom(source, NODE_PATH);
  return { title: `Node.js ${stdout.trim()}`, tree, version: stdout.trim().slice(1) };
}

async function fetchNode(cache) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cache, `node-${NODE_VERSION}`);
  const binary = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(binary)) return binary;
  await mkdir(folder, { recursive: true });
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', `${name}@${NODE_VERSION}`, '--prefix', folder, ...quiet]);
  return binary;
}
