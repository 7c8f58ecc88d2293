import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { CheckoutCopy } from '../../support/checkout-copy.js';

const USAGE = ['src/platform/cli/run-cli.ts', 'COMMAND [OPTIONS]', 'COMMAND [CHANGED]'] as const;
const firstLineOf = (text: string): string | undefined => text.split('\n')[0];

describe('a build', () => {
  let copy: CheckoutCopy;
  beforeEach(async () => {
    copy = await CheckoutCopy.make();
  });
  afterEach(() => copy?.remove());

  it('of sources that are not TypeScript fails by the name of the file, and leaves the build before in its place', async () => {
    const before = copy.currentBuild;
    copy.change('src/platform/cli/run-cli.ts', 'const = ;');
    const { code, err } = await copy.build();
    expect(code).not.toBe(0);
    expect(err).toContain('run-cli.ts');
    expect(copy.currentBuild).toBe(before);
    expect(await copy.builds()).toEqual([before]);
  });

  it('of sources that do not compile stops a command, which does not answer from the build before', async () => {
    copy.change('src/platform/cli/run-cli.ts', 'const = ;');
    const { code, out, err } = await copy.run(['scripts/cli.mjs', '--help']);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(/^The build failed\.\n[^]*run-cli\.ts/);
  });

  it('is not made again of the same sources, nor for a test, a page of documentation or a later date of a file', async () => {
    const [build] = await copy.builds();
    const program = statSync(copy.path('dist/src/main.js'));
    copy.change('src/core/README.md', 'More words.');
    writeFileSync(copy.path('src/core/new.spec.ts'), 'not even TypeScript');
    copy.change('src/platform/cli/run-cli.ts', '// A word');
    copy.replace('src/platform/cli/run-cli.ts', '// A word\n', '');
    expect((await copy.build()).code).toBe(0);
    expect(await copy.builds()).toEqual([build]);
    expect(statSync(copy.path('dist/src/main.js')).ino).toBe(program.ino);
  });

  it('is what two commands run that are started at once after a change of a source', async () => {
    const before = copy.currentBuild;
    copy.replace(...USAGE);
    const both = await Promise.all([0, 1].map(() => copy.run(['scripts/cli.mjs', '--help'])));
    for (const { code, out, err } of both) {
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(firstLineOf(out)).toContain('CHANGED');
    }
    expect(copy.currentBuild).not.toBe(before);
    expect(await copy.builds()).toEqual([before, copy.currentBuild].sort());
  });

  it('that was made before is used again when its sources come back', async () => {
    const before = copy.currentBuild;
    copy.replace(...USAGE);
    await copy.build();
    const later = copy.currentBuild;
    copy.replace(USAGE[0], USAGE[2], USAGE[1]);
    const { out } = await copy.run(['scripts/cli.mjs', '--help']);
    expect(firstLineOf(out)).toContain('OPTIONS');
    expect(copy.currentBuild).toBe(before);
    expect(await copy.builds()).toEqual([before, later].sort());
  });

  it('takes the place of a folder dist, and of a dist that leads nowhere', async () => {
    const build = copy.currentBuild;
    rmSync(copy.path('dist'));
    mkdirSync(copy.path('dist/src'), { recursive: true });
    writeFileSync(copy.path('dist/src/main.js'), 'throw new Error("of an earlier release");');
    expect((await copy.build()).code).toBe(0);
    expect(copy.currentBuild).toBe(build);

    rmSync(realpathSync(copy.path('dist')), { recursive: true });
    const { code, out } = await copy.run(['scripts/cli.mjs', '--help']);
    expect(code).toBe(0);
    expect(firstLineOf(out)).toContain('OPTIONS');
    expect(copy.currentBuild).toBe(build);
  });
});
