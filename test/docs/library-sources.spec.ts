import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './pages.js';

it.each(['java', 'csharp'])('the library in sdk/%s is what the OpenAPI document makes', (language) => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, `scripts/sdk-${language}.mjs`), '--check'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
