import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FileTree } from './file-tree.mjs';

const run = promisify(execFile);
/** The newest of the line in .nvmrc that the tests ran on. */
export const NODE_VERSION = '24.21.0';
/** As npm's packages call a system, where Node.js calls it otherwise. */
const PLATFORMS = { win32: 'win' };
export const NODE_PATH = 'usr/local/bin/node';

/**
 * Node.js as npm's package of this platform carries it, without npm. It is fetched once into `cache`.
 * @param {string | undefined} binary a program to take instead
 */
export async function nodeRuntime(cache, binary) {
  const source = binary ?? (await fetchNode(cache, NODE_VERSION));
  const { stdout } = await run(source, ['--version']);
  const tree = new FileTree();
  await tree.addFrom(source, NODE_PATH);
  return { title: `Node.js ${stdout.trim()}`, tree, version: stdout.trim().slice(1) };
}

/** The program of a version, such as 24 or 24.21.0, from npm's package of this platform; it stays in `cache`. */
export async function fetchNode(cache, version) {
  const name = `node-${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  const folder = join(cache, `node-${version}`);
  const binary = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  await mkdir(folder, { recursive: true });
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', `${name}@${version}`, '--prefix', folder, ...quiet]);
  return binary;
}
