import { decodeMessage } from './decode-message.js';
import { readEncapsulatedData, readReferencePointer } from './encapsulated-data.js';

const BYTES = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
const BASE64 = BYTES.toString('base64');
/** RFC 4648 §5, with its padding. */
const FOR_ADDRESSES = BASE64.replaceAll('+', '-').replaceAll('/', '_');

describe('encapsulated data', () => {
  it.each([
    ['EHR^IM^JPEG^Base64', 'empty'],
    ['EHR^IM^JPEG^Base64^', 'empty'],
    ['EHR^IM^JPEG^Base64^ \\.br\\ ', 'empty'],
    ['EHR^IM^JPEG^Base64^!!!!', 'base64'],
    [`EHR^IM^JPEG^Base64^${BASE64.slice(0, -2)}`, 'base64'],
    [`EHR^IM^JPEG^Base64^${BASE64}AAAA`, 'base64'],
    ['EHR^IM^JPEG^Base64^AA\\F\\A', 'base64'],
    ['EHR^IM^JPEG^Hex^ffd', 'hex'],
    ['EHR^IM^JPEG^Hex^ffzz', 'hex'],
    ['EHR^IM^JPEG^Base64^A-_-_', 'base64'],
    ['EHR^IM^JPEG^Base64^data:image/jpeg;base64,!!!!', 'base64'],
    ['EHR^IM^JPEG^Base64^data:image/jpeg;base64,', 'empty'],
    ['EHR^IM^JPEG^^====', 'empty'],
    ['EHR^IM^JPEG^^!!!!', 'encoding'],
    [`EHR^IM^JPEG^UU^${BASE64}`, 'encoding'],
  ])('does not read %s: %s', (raw, fault) => expect(read(raw)).toBe(fault));

  it.each([
    [`EHR^IM^JPEG^Base64^${BASE64}`],
    [`EHR^Image^jpg^BASE64^${BASE64}`],
    [`EHR^image^image/jpeg^base64^${BASE64}`],
    [`EHR^image/jpeg^^base64^${BASE64}`],
    [`EHR^IM^JPEG^Hex^${BYTES.toString('hex')}`],
    [`EHR^IM^JPEG^HEX^${BYTES.toString('hex').toUpperCase()}`],
    [`EHR^IM^JPEG^Base64^${BASE64.replace(/.{5}/g, '$&\\.br\\')}`],
    [`EHR^IM^JPEG^Base64^${BASE64.replace(/.{5}/g, '$&\\X0D0A\\')}`],
    [`EHR^IM^JPEG^Base64^${BASE64.replace(/.{5}/g, '$&\\X0D\\X0A\\')}`],
    [`EHR^IM^JPEG^Base64^${BASE64.replace(/.{5}/g, '$&\\X0D\\\\X0A\\ ')}`],
    [`EHR^IM^JPEG^Base64^${BASE64.replace(/.{5}/g, '$&\n')}`],
  ])('reads %p', (raw) =>
    expect(read(raw)).toEqual({
      sourceApplication: 'EHR',
      contentType: 'image/jpeg',
      assumed: null,
      bytes: BYTES,
    }),
  );

  it.each([
    ['for addresses', `EHR^IM^JPEG^Base64^${FOR_ADDRESSES}`, 'form'],
    ['for addresses, without padding', `EHR^IM^JPEG^Base64^${FOR_ADDRESSES.replace(/=+$/, '')}`, 'form'],
    ['padded twice', `EHR^IM^JPEG^Base64^${BASE64.replace(/=+$/, '')}====`, 'form'],
    ['behind a data: prefix', `EHR^IM^JPEG^Base64^data:image/jpeg;base64,${BASE64}`, 'form'],
    ['behind a prefix with parameters', `EHR^^^Base64^data:image/jpeg;name=a.jpg;base64,${BASE64}`, 'form'],
    ['without an encoding', `EHR^IM^JPEG^^${BASE64}`, 'encoding'],
    [
      'without an encoding, in hexadecimal',
      `EHR^IM^JPEG^^${Buffer.concat([BYTES, BYTES, BYTES]).toString('hex')}`,
      'encoding',
    ],
    ['without an encoding, for addresses', `EHR^IM^JPEG^^${FOR_ADDRESSES}`, 'encoding'],
  ])('reads Base64 %s, and says so', (_name, raw, assumed) => {
    const found = read(raw);
    expect(found).toMatchObject({ contentType: 'image/jpeg', assumed });
    expect(typeof found === 'string' ? found : found.bytes.subarray(0, BYTES.length)).toEqual(BYTES);
  });

  it('reads hexadecimal of many pieces, and refuses a wrong character far within', () => {
    const bytes = Buffer.alloc(300_000, 'photo');
    const hex = bytes.toString('hex');
    const found = read(`EHR^IM^JPEG^Hex^${hex}`);
    expect(typeof found === 'object' && found.bytes.equals(bytes)).toBe(true);
    expect(read(`EHR^IM^JPEG^Hex^${hex.slice(0, 400_000)}zz${hex.slice(400_002)}`)).toBe('hex');
  });

  it('reads Base64 that is stated to be text, and says so', () => {
    expect(read(`EHR^IM^JPEG^A^${BASE64}`)).toMatchObject({ assumed: 'encoding', bytes: BYTES });
    expect(read('EHR^TX^TXT^A^test')).toMatchObject({
      assumed: null,
      contentType: 'text/plain',
      bytes: Buffer.from('test'),
    });
    expect(read('EHR^IM^JPEG^A^not base64!')).toMatchObject({
      assumed: null,
      bytes: Buffer.from('not base64!'),
    });
  });

  it.each([
    ['AP^PDF', 'application/pdf'],
    ['Application^pdf', 'application/pdf'],
    ['application/pdf^', 'application/pdf'],
    ['IM^DICOM', 'application/dicom'],
    ['IM^', null],
    ['^x-own', null],
    ['IM^constructor', null],
  ])('takes %s for %s', (types, contentType) =>
    expect(read(`EHR^${types}^Base64^${BASE64}`)).toMatchObject({ contentType }),
  );

  it('reads ten megabytes, wrapped', () => {
    const bytes = Buffer.alloc(10 * 1024 * 1024, 'wound');
    const data = read(`EHR^IM^JPEG^Base64^${bytes.toString('base64').replace(/.{76}/g, '$&\r\n')}`);
    expect(typeof data === 'string' ? data : data.bytes.equals(bytes)).toBe(true);
  });

  it('reads a pointer', () => {
    const { repetition } = field('https://ehr.example.org/photos/8871.jpg?a=1\\T\\b=2^EHR&1.2&ISO^IM^JPEG');
    expect(readReferencePointer(repetition)).toEqual({
      pointer: 'https://ehr.example.org/photos/8871.jpg?a=1&b=2',
      application: 'EHR',
      contentType: 'image/jpeg',
    });
  });
});

function field(raw: string) {
  const found = decodeMessage(Buffer.from(`MSH|^~\\&|EHR\rOBX|1|ED|||${raw}||||||F`), { characterSet: null });
  if (found.kind !== 'message') throw new Error(found.problem.code);
  const repetition = found.message.segment('OBX')?.field(5).repetitions[0];
  if (repetition === undefined) throw new Error('no value');
  return { repetition, delimiters: found.message.delimiters };
}

function read(raw: string) {
  const { repetition, delimiters } = field(raw);
  return readEncapsulatedData(repetition, delimiters);
}
