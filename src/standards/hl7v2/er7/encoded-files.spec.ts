import { processorMs } from '../../../../test/support/processor-time.js';
import { createHash, randomBytes } from 'node:crypto';
import { findEncodedFiles, replacePieces } from './encoded-files.js';

const photo = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(300)]);
const digest = createHash('sha256').update(photo).digest();
const base64 = photo.toString('base64');
const messageWith = (obx5: string): Buffer =>
  Buffer.from(
    `\r\nMSH|^~\\&|EHR|HOSP|||20260315||ORU^R01|1|T|2.5.1\rPID|1||MRN^^^HOSP||M\u00fcller^Anna\r${obx5}\rNTE|1||and a text that goes on for longer than sixty-four characters, which no file is\r`,
    'latin1',
  );
const digestsIn = (message: Buffer) =>
  findEncodedFiles(message).flatMap(({ digests }) => digests.map((one) => one.toString('hex')));

describe('files in a message', () => {
  it.each([
    ['no message at all', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['nothing', Buffer.alloc(0)],
    [
      'a message of words and numbers',
      messageWith(
        'OBX|1|TX|1^Text||The wound measured 3 by 4 centimetres and had a clean edge with little exudate||||||F',
      ),
    ],
  ])('are none in %s', (_, message) => {
    expect(findEncodedFiles(message)).toEqual([]);
  });

  it.each([
    ['as ED', `OBX|1|ED|72170-4^^LN||CAM^IM^JPEG^Base64^${base64}||||||F`],
    ['in a row that calls it text', `OBX|1|TX|72170-4^^LN||${base64}||||||F`],
    ['in hexadecimal', `OBX|1|ED|72170-4^^LN||CAM^IM^JPEG^Hex^${photo.toString('hex')}||||||F`],
    ['wrapped with line ends', `OBX|1|ED|72170-4^^LN||CAM^IM^JPEG^Base64^${base64.replace(/.{76}/g, '$&\r\n')}||||||F`],
    [
      'wrapped with escape sequences',
      `OBX|1|ED|72170-4^^LN||CAM^IM^JPEG^Base64^${base64.replace(/.{76}/g, '$&\\.br\\')}||||||F`,
    ],
    [
      'in the alphabet for addresses',
      `OBX|1|ED|72170-4^^LN||CAM^IM^JPEG^Base64^${base64.replaceAll('/', '_').replaceAll('+', '-')}||||||F`,
    ],
    ['behind a data: prefix', `OBX|1|ED|72170-4^^LN||CAM^IM^JPEG^Base64^data:image/jpeg;base64,${base64}||||||F`],
    ['padded too much', `OBX|1|ED|72170-4^^LN||CAM^IM^JPEG^^${base64.replace(/=+$/, '')}====||||||F`],
    ['as the second repetition', `OBX|1|ED|72170-4^^LN||CAM^IM^JPEG^Base64^AAAA~CAM^IM^JPEG^Base64^${base64}||||||F`],
    ['at the end of a segment of a kind of its own', `ZPH|1|${base64}`],
  ])('are found %s, and taken out without a change of anything else', (_, row) => {
    const message = messageWith(row);
    const files = findEncodedFiles(message);
    expect(digestsIn(message)).toContain(digest.toString('hex'));
    const cut = replacePieces(message, files, ({ sizeBytes }) => `[${sizeBytes}]`);
    const [before = '', after = ''] = cut.toString('latin1').split(`[${photo.length}]`);
    expect(message.toString('latin1').startsWith(before) && message.toString('latin1').endsWith(after)).toBe(true);
    expect(digestsIn(cut)).toEqual([]);
  });

  it.each([
    ['blanks behind it and a wrong end', `${'A'.repeat(64)}${' '.repeat(1_000_000)}!`],
    ['one endless escaped line end', `${'A'.repeat(64)}\\X${'0D'.repeat(1_000_000)}\\`],
    ['escaped line ends that never close', `${'A'.repeat(64)}${'\\.br'.repeat(300_000)}`],
  ])('passes over a piece with %s, in the time that its length takes', (_, piece) => {
    const message = Buffer.from(`MSH|^~\\&|EHR|HOSP|||||ORU^R01|1|P|2.5.1\rOBX|1|TX|||${piece}`);
    const plain = Buffer.from(`MSH|^~\\&|EHR|HOSP|||||ORU^R01|1|P|2.5.1\rOBX|1|TX|||${'word '.repeat(400_000)}`);
    const [spentMs, plainMs] = [
      processorMs(() => findEncodedFiles(message)),
      processorMs(() => findEncodedFiles(plain)),
    ];
    expect(findEncodedFiles(message)).toEqual([]);
    expect(spentMs).toBeLessThan(50 * Math.max(plainMs, 1));
  });
});
