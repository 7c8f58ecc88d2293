import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];

/**
 * The image of an OCI archive as the root folder of containers, in a mount namespace of our own: read-only, but for /tmp and the
 * service's data, which are in memory. Needs root.
 */
export async function unpackImage(archive) {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-smoke-'));
  const root = join(folder, 'root');
  const layout = join(folder, 'layout');
  for (const path of [root, layout]) await mkdir(path, { mode: 0o755 });
  await run('tar', ['-xf', archive, '-C', layout]);
  const json = async (path) => JSON.parse(await readFile(join(layout, path), 'utf8'));
  const blob = ({ digest }) => `blobs/${digest.replace(':', '/')}`;
  const { manifests } = await json('index.json');
  const manifest = await json(blob(manifests[0]));
  for (const layer of manifest.layers)
    await run('tar', ['-xzf', join(layout, blob(layer)), '--same-owner', '--same-permissions', '-C', root]);
  const { config } = await json(blob(manifest.config));
  await rm(layout, { recursive: true });
  await mountAsRuntimesDo(root, folder, config);
  return {
    root,
    config,
    digest: manifests[0].digest,
    async remove() {
      // What is mounted there goes with this namespace.
      await run('umount', ['--lazy', '--recursive', root]).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function mountAsRuntimesDo(root, folder, config) {
  const mount = (...args) => run('mount', args);
  await mount('--bind', root, root);
  const [uid] = config.User.split(':');
  await mount('-t', 'tmpfs', '-o', 'nosuid,nodev,mode=1777,size=256m', 'tmpfs', join(root, 'tmp'));
  for (const volume of Object.keys(config.Volumes))
    await mount(
      '-t',
      'tmpfs',
      '-o',
      `nosuid,nodev,noexec,uid=${uid},gid=${uid},mode=0750`,
      'tmpfs',
      join(root, volume),
    );
  await mount('-t', 'tmpfs', '-o', 'nosuid,noexec,mode=0755', 'tmpfs', join(root, 'dev'));
  for (const name of DEVICES) {
    await writeFile(join(root, 'dev', name), '');
    await mount('--bind', `/dev/${name}`, join(root, 'dev', name));
  }
  await mount('-o', 'remount,bind,ro', root);
  await run('ip', ['link', 'set', 'lo', 'up']);
}
