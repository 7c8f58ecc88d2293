import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { CheckoutCopy } from '../../support/checkout-copy.js';

const DIST = 'sdk/javascript/dist';

describe('the build of the JavaScript library', () => {
  let copy: CheckoutCopy;
  beforeAll(async () => {
    copy = await CheckoutCopy.make({ built: false });
    await build();
  });
  afterAll(() => copy?.remove());

  async function build(): Promise<void> {
    expect(await copy.run(['sdk/javascript/build.mjs'])).toEqual({ code: 0, out: '', err: '' });
  }
  const madeAt = (): number => statSync(copy.path(`${DIST}/index.js`)).mtimeMs;

  it('makes nothing anew of the same sources', async () => {
    const before = madeAt();
    await build();
    expect(madeAt()).toBe(before);
  });

  it('puts what changed into the same folder, in which every file stays to be found', async () => {
    const folder = statSync(copy.path(DIST)).ino;
    const files = readdirSync(copy.path(DIST)).sort();
    writeFileSync(copy.path(`${DIST}/left.js`), 'of an earlier release');
    copy.replace('sdk/javascript/package.json', '"version": "0.1.0"', '"version": "0.1.1"');
    copy.change('sdk/javascript/src/index.ts', 'export const ADDED = 1;');
    await build();
    expect(statSync(copy.path(DIST)).ino).toBe(folder);
    expect(readdirSync(copy.path(DIST)).sort()).toEqual(files);
    expect(readFileSync(copy.path(`${DIST}/index.mjs`), 'utf8')).toContain('ADDED');
  });
});
