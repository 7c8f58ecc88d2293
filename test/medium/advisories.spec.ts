import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SCRIPT = resolve(__dirname, '../../scripts/check-advisories.mjs');

function check(...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((ended) => {
    execFile(process.execPath, [SCRIPT, ...args], (error, _stdout, stderr) =>
      ended({ code: Number(error?.code ?? 0), said: stderr }),
    );
  });
}

describe('known advisories', () => {
  it('refuse a lock file with an affected version, wherever it is installed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sutura-lock-'));
    const lock = {
      packages: {
        '': { version: '1.0.0' },
        'node_modules/uuid': { version: '13.0.2' },
        'node_modules/bull/node_modules/uuid': { version: '8.3.2' },
      },
    };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const { code, said } = await check(join(folder, 'package-lock.json'));
    expect([code, said]).toEqual([
      1,
      expect.stringContaining('node_modules/bull/node_modules/uuid 8.3.2: CVE-2026-41907, fixed in 11.1.1'),
    ]);
    await rm(folder, { recursive: true, force: true });
  });

  it('are not in what is installed here', async () => {
    expect(await check()).toEqual({ code: 0, said: '' });
  });
});
