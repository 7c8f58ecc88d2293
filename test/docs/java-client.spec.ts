import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './pages.js';

it('the Java client is what the OpenAPI document makes', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/sdk-java.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
