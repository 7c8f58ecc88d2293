import { existsSync, mkdirSync } from 'node:fs';
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startGateway } from '../support/gateway.js';
import { describeWith, isThere, said } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const PLACE = join(ROOT, '.cache/toolchains/bruno');
const BRUNO = join(PLACE, 'node_modules/.bin/bru');

/** Its command line, kept in .cache, so that a later night needs no network. */
function hasBruno(): boolean {
  if (existsSync(BRUNO)) return true;
  mkdirSync(PLACE, { recursive: true });
  const words = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '@usebruno/cli@4.1.0'];
  return isThere('npm', 'install', '--prefix', PLACE, ...words) && existsSync(BRUNO);
}

describeWith({ 'Bruno (npm does not give it here)': !hasBruno() })('the collection in Bruno', () => {
  it('leads from a photo to its report', async () => {
    const gateway = await startGateway();
    const folder = await mkdtemp(join(tmpdir(), 'sutura-bruno-'));
    try {
      const { key } = await gateway.createKey(await gateway.createOrganization());
      await cp(join(ROOT, 'docs/collections/bruno'), folder, { recursive: true });
      await copyFile(join(ROOT, 'samples/clean-wound.jpg'), join(folder, 'clean-wound.jpg'));
      const values = ['--env-var', `baseUrl=${gateway.baseUrl}`, '--env-var', `apiKey=${key}`];
      expect(await said(folder, BRUNO, 'run', 'First-analysis', '--env', 'Test', ...values)).toMatch(/8 \(8 Passed\)/);
    } finally {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);
});
