import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { CheckoutCopy } from '../../support/checkout-copy.js';

const PAGE = 'docs/errors.md';
const SITE = 'dist/docs';

describe('the docs site of a build', () => {
  let copy: CheckoutCopy;
  beforeEach(async () => {
    copy = await CheckoutCopy.make();
  });
  afterEach(() => copy?.remove());

  const shown = (): string => readFileSync(copy.path(`${SITE}/errors.html`), 'utf8');
  /** The site and the other parts of the build: neither drafts nor what was taken away. */
  const parts = (): readonly string[] => readdirSync(copy.path('dist')).filter((name) => name.startsWith('docs'));

  it('fails by its name where the colours of the console are not found, and leaves the site before in its place', async () => {
    const before = shown();
    copy.replace('web/src/shared/theme.css', ":root[data-theme='dark'] {", ":root[data-theme='night'] {");
    const { code, err } = await copy.build();
    expect(code).not.toBe(0);
    expect(err).toContain('theme.css has no dark colours');
    expect(shown()).toBe(before);
  });

  it('is made anew where a page changed, and no program is', async () => {
    const build = copy.currentBuild;
    copy.change(PAGE, '# Refusals');
    expect((await copy.build()).code).toBe(0);
    expect(copy.currentBuild).toBe(build);
    expect(shown()).toContain('<h1 id="refusals">Refusals</h1>');
    expect(parts()).toEqual(['docs']);
  });

  it('is made anew with the buttons and fields of the console where those changed', async () => {
    const styles = (): string => readFileSync(copy.path(`${SITE}/assets/docs.css`), 'utf8');
    expect(styles()).not.toContain('min-height:43px');
    copy.replace('web/src/shared/components/components.css', 'min-height: 40px', 'min-height: 43px');
    expect((await copy.build()).code).toBe(0);
    expect(styles()).toContain('min-height:43px');
    expect(shown()).toContain('<button class="button"');
  });

  it('is not made again of the same pages', async () => {
    const before = statSync(copy.path(`${SITE}/errors.html`)).ino;
    expect((await copy.build()).code).toBe(0);
    expect(statSync(copy.path(`${SITE}/errors.html`)).ino).toBe(before);
  });

  it('is whole after two builds at once', async () => {
    copy.change(PAGE, '# Refusals');
    const both = await Promise.all([copy.build(), copy.build()]);
    expect(both.map(({ code, err }) => ({ code, err }))).toEqual([
      { code: 0, err: '' },
      { code: 0, err: '' },
    ]);
    expect(shown()).toContain('Refusals');
    expect(existsSync(copy.path(`${SITE}/assets/search.json`))).toBe(true);
    expect(parts()).toEqual(['docs']);
  });

  it('comes from the build before where a source of the program changed alone', async () => {
    const before = shown();
    const marker = copy.path(`${SITE}/of-the-build-before.html`);
    copyFileSync(copy.path(`${SITE}/errors.html`), marker);
    copy.replace('src/platform/cli/run-cli.ts', 'COMMAND [OPTIONS]', 'COMMAND [CHANGED]');
    expect((await copy.build()).code).toBe(0);
    expect(shown()).toBe(before);
    expect(existsSync(copy.path(`${SITE}/of-the-build-before.html`))).toBe(true);
  });

  it('is made without a page where there is none', async () => {
    rmSync(copy.path('docs'), { recursive: true });
    expect((await copy.build()).code).toBe(0);
    expect(existsSync(copy.path(`${SITE}/assets/docs.js`))).toBe(true);
    expect(existsSync(copy.path(`${SITE}/index.html`))).toBe(false);
  });
});
