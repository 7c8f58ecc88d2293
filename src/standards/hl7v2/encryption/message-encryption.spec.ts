import { randomBytes } from 'node:crypto';
import { readSettings } from '../../../platform/config/settings.js';
import { MessageEncryption } from './message-encryption.js';

const key = () => randomBytes(32).toString('base64');
const encryptionWith = (...keys: string[]) =>
  new MessageEncryption(readSettings(keys.length === 0 ? {} : { HL7_ENCRYPTION_KEY: keys.join(',') }));
const MESSAGE = Buffer.from('MSH|^~\\&|EHR\rPID|1||MRN^^^HOSP||Beispiel^Anna\r');
const LONG = Buffer.from(`${MESSAGE.toString()}${'OBX|1|NM|89260-4^Area of wound^LN|1|29.5|cm2\r'.repeat(40)}`);

describe('MessageEncryption', () => {
  it('does not open what another key sealed, what was altered, or what lies in another row', () => {
    const encryption = encryptionWith(key());
    const sealed = encryption.seal(MESSAGE, 'row-1');
    const altered = Buffer.from(sealed);
    altered[altered.length - 1]! ^= 1;
    for (const open of [
      () => encryptionWith(key()).open(sealed, 'row-1'),
      () => encryptionWith().open(sealed, 'row-1'),
      () => encryption.open(altered, 'row-1'),
      () => encryption.open(sealed, 'row-2'),
      () => encryption.open(sealed.subarray(0, 10), 'row-1'),
      () => encryption.open(Buffer.alloc(0), 'row-1'),
    ]) {
      expect(open).toThrow(expect.objectContaining({ code: 'hl7.sealed' }) as Error);
    }
  });

  it.each([
    ['mark', 0],
    ['id of the key', 2],
    ['IV', 5],
    ['tag', 17],
    ['first byte of the text', 33],
    ['last byte of the text', 33 + MESSAGE.length - 1],
  ])('finds one bit that was altered: %s', (_where, at) => {
    const encryption = encryptionWith(key());
    for (let bit = 0; bit < 8; bit += 1) {
      const sealed = encryption.seal(MESSAGE, 'row-1');
      sealed[at]! ^= 1 << bit;
      expect(() => encryption.open(sealed, 'row-1')).toThrow(expect.objectContaining({ code: 'hl7.sealed' }) as Error);
    }
  });

  it('finds a message that was cut anywhere, made longer, or sealed by another key under the id of its own', () => {
    const encryption = encryptionWith(key());
    const sealed = encryption.seal(MESSAGE, 'row-1');
    const theirs = encryptionWith(key()).seal(MESSAGE, 'row-1');
    sealed.copy(theirs, 0, 0, 5);
    const cut = [1, 4, 5, 16, 17, 32, 33, sealed.length - 1].map((end) => sealed.subarray(0, end));
    for (const bytes of [...cut, Buffer.concat([sealed, Buffer.alloc(1)]), theirs])
      expect(() => encryption.open(bytes, 'row-1')).toThrow(expect.objectContaining({ code: 'hl7.sealed' }) as Error);
  });

  it('does not take what was deflated for what was not, nor the other way round', () => {
    const encryption = encryptionWith(key());
    const [deflated, short] = [encryption.seal(LONG, 'row-1'), encryption.seal(MESSAGE, 'row-1')];
    [deflated[0], short[0]] = [short[0]!, deflated[0]!];
    for (const sealed of [deflated, short])
      expect(() => encryption.open(sealed, 'row-1')).toThrow(expect.objectContaining({ code: 'hl7.sealed' }) as Error);
  });

  it('deflates a text before it seals it, but neither a short one nor what has become no shorter, and gives each back', () => {
    const encryption = encryptionWith(key());
    const noise = randomBytes(4000);
    const pictures = Buffer.concat([LONG, Buffer.alloc(64 * 1024, 'A')]);
    const sealed = [LONG, MESSAGE, noise, pictures].map((text) => encryption.seal(text, 'row-1'));
    expect(sealed.map(([mark]) => mark)).toEqual([2, 1, 1, 1]);
    expect(sealed[0]!.length).toBeLessThan(LONG.length / 4);
    expect(sealed.map((each) => encryption.open(each, 'row-1'))).toEqual([LONG, MESSAGE, noise, pictures]);
    const heads = encryption.heads().map((head) => head.toString('hex'));
    expect(heads).toEqual(expect.arrayContaining(sealed.map((each) => each.subarray(0, 5).toString('hex'))));
  });

  it('leaves nothing of the text to be read, and gives it back', () => {
    const encryption = encryptionWith(key());
    const sealed = encryption.seal(MESSAGE, 'row-1');
    expect(sealed.includes('Beispiel')).toBe(false);
    expect(encryption.open(sealed, 'row-1')).toEqual(MESSAGE);
    expect(encryption.seal(MESSAGE, 'row-1')).not.toEqual(sealed);
  });

  it('opens what an older key sealed, and what was kept before there was a key', () => {
    const [older, newer] = [key(), key()];
    const plain = encryptionWith().seal(MESSAGE, 'row-1');
    const sealed = encryptionWith(older).seal(MESSAGE, 'row-1');
    const encryption = encryptionWith(newer, older);
    expect([encryption.open(plain, 'row-1'), encryption.open(sealed, 'row-1')]).toEqual([MESSAGE, MESSAGE]);
    expect(() => encryptionWith(older).open(encryption.seal(MESSAGE, 'row-1'), 'row-1')).toThrow();
  });
});
