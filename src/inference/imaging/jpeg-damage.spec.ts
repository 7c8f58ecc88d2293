import sharp, { type JpegOptions } from 'sharp';
import { Dice } from '../../../test/support/mutations.js';
import { drawWoundPhoto } from '../../../test/support/wound-photo.js';
import { eachSeed, seedsOf } from '../../../test/support/rounds.js';
import { atOnce } from '../../platform/turns/turns.js';
import { jpegVerdict } from './jpeg-damage.js';

const KINDS: Readonly<Record<string, JpegOptions>> = {
  'a usual one': { quality: 88 },
  'one in full colour': { quality: 97, chromaSubsampling: '4:4:4' },
  'a small one': { quality: 30, optimiseCoding: false },
  'a progressive one': { quality: 82, progressive: true },
  'one of MozJPEG': { quality: 82, mozjpeg: true },
};
const START_OF_SCAN = 0xda;
/** A JPEG of 96 × 72 pixels with a restart marker behind every second MCU, which sharp does not write. */
const RESTARTED =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCABIAGADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/90ABAAC/9oADAMBAAIRAxEAPwB/lMrhXGDUdzIiMqOcZpyeZI+Blv8AaqJ4wzkOMlalRV77WHe7ak7Do7gRMVH3e1KsLSHcfu0xtkKhsBiTjHpVm4+WyLRtl/7orRuCTUBrTc//0E8sRtgd6eZ0T93IcEUtqN6AyfePb0qRoQxYMmTj71TGe3dEScLsqzMCwePmTsKm8wvGAnL9xUNvZeVKfMk5PTNIJFEzANgKevrWzStYbvJcqP/RWQmaIQzcFTkVLHCHG5uJR90e1RMgf97v4NNctKQqNj/apNvmsSld8rHsfmPqOtPGGXLdKRI2iAYjeB1NQzM1w2Ihhfam01uO61S2P//SmiLQxlYzz61WlYyyqI+Dn5vehZPIQxnljSPJHEUZjg96cYu21yoLmakyWQRBtuPm9aaY5FuF2njFNkKz4dTxTfNm80AL8nrQou19hKLS03R//9NstwqSDaDuHWrIlkdQ4PHpVbZ5Th3HXpUscqJIZCeW4xU2i9hStJNx6DZZRJINwOfWk+yIBuboaJ8g7MfO3IphlV9qIxLL1FW4uwRsrNn/1IJpQf3MakAVZh2eQVxhvU0902RK+0Z7094klTcx2p3IojNJN7CvaHcqyyXAZY0PyHg1JMjQxARHBpBMYpUTAIJ+U09iXuWVutKzurf8OJq1pJ2/rqf/1ZLpY3cMuNo/iqo4+dWKbgv61MkbwoYpDlTTlVlZQWG09KXw2uWlyrUSXa8IdR5f+zRDI0o2CP8AGlmZPNEZUsfap5MwAeVxxUupzbim2kkz/9Z0vUIwz/SkdF2hQORTnid13q4z3prNiH5eHFQk5OwRfItBNu2QPIenc0kscaOrxYJbrimWrG4gbzexqdYkiIIINaTajaKeqK5JfDJan//Xfsd+pIHpU0ShoDGGyD3qo8kslxsQ8DrUs91DGoihG1j1NJx76lOCSI7iPaVCncR09qYFcHcSd1TyMmxCn3u9RR3C+eRICauMldKSJXw8+6P/0LN0n7vEPzL3NURG0oJBPydakjxCNnn7s1IxWMAq33uo9ai7i7FQdrfqRW7SQtvZQUPAJqSWf96FfhTRJKyRDbHv9vSmrAJE3u3zf3a103lsxOMXuf/RbGiQiV1cnPTNJuEsA2ff7igz7T5ZTrxTQH3lVQrimpKM+fuOUVFWepKscnl9AI+5oFvjDIxJpltHJJJs8w7O9WUUfOC23b+tDfvJ9RXjF3S8j//SkhjlV2faNxHNVfszS3HlPwp5JpZJXLHa5FSWxMqkM21vWquknK24PmjtuRNG0TlW+6vT3pwRx+9YDae9OnUsyqe3f1qQ4CBS2R6Uov3RQTT97U//02NFFjKjmmGJlG5j06UUVT0t6hW9z3upYjmMcYfuadFEZ5BMnCjrRRWaipU5Se9y3J8jl5H/1HXUYB4+/wDwmhjKkA3H953PtRRTgk7XCh79kxsMgEReLgd6VnWMAy87qKKJe7U5eg6r5aaa7n//1YpXiQbgODUkNs/klweKKK0qaQuRKbjFsZMzl0XNEq+WctzRRUv3YprqaQm5p37H/9k=';

/** A photo with grain, as cameras make them: in a drawing without it most bytes are alike. */
async function photo(options: JpegOptions, seed = 1): Promise<Buffer> {
  const { data, info } = await sharp(await drawWoundPhoto({ seed, width: 320, height: 240, format: 'png' }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const dice = new Dice(seed);
  for (let at = 0; at < data.length; at += 1) data[at] = Math.min(255, Math.max(0, data[at]! + dice.below(25) - 12));
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .jpeg(options)
    .toBuffer();
}

const verdictOf = (bytes: Uint8Array) => atOnce(jpegVerdict(bytes));

/** Where the first scan's bits begin. */
function bitsOf(jpeg: Buffer): number {
  for (let at = 2; ; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] === START_OF_SCAN) return at + 2 + jpeg.readUInt16BE(at + 2);
}

describe('the check of a JPEG’s bits', () => {
  describe.each(Object.keys(KINDS))('of %s', (kind) => {
    let jpeg: Buffer;
    let begin: number;
    beforeAll(async () => {
      jpeg = await photo(KINDS[kind]!);
      begin = bitsOf(jpeg);
    });

    it.each([
      ['512 bytes of zeros in its middle', (middle: number) => Buffer.from(jpeg).fill(0, middle, middle + 512)],
      ['400 blanks in its middle', (middle: number) => Buffer.from(jpeg).fill(0x20, middle, middle + 400)],
      [
        'a thousand bytes left out',
        (middle: number) => Buffer.concat([jpeg.subarray(0, middle), jpeg.subarray(middle + 1000)]),
      ],
      ['a part twice', (middle: number) => Buffer.concat([jpeg.subarray(0, middle + 700), jpeg.subarray(middle)])],
      ['its end gone', (middle: number) => Buffer.concat([jpeg.subarray(0, middle), Buffer.from([0xff, 0xd9])])],
    ])('finds it damaged with %s', (_, damage) => {
      expect(verdictOf(damage(Math.floor((begin + jpeg.length) / 2)))).toBe('damaged');
    });

    it('finds it whole as it is, with junk behind it, and with padding before its end', () => {
      expect(verdictOf(jpeg)).toBe('whole');
      expect(verdictOf(Buffer.concat([jpeg, Buffer.from('junk of a camera')]))).toBe('whole');
      const end = jpeg.length - 2;
      expect(verdictOf(Buffer.concat([jpeg.subarray(0, end), Buffer.alloc(7), jpeg.subarray(end)]))).toBe('whole');
    });

    it('finds it whole with junk between its segments', () => {
      const first = 2 + 2 + jpeg.readUInt16BE(4);
      const junk = Buffer.from([1, 2, 3, 0]);
      expect(verdictOf(Buffer.concat([jpeg.subarray(0, first), junk, jpeg.subarray(first)]))).toBe('whole');
    });
  });

  it('finds out nearly all random damage to the bits, and none where there is none', async () => {
    const found = { damaged: 0, of: 0 };
    await eachSeed('jpeg-damage', seedsOf('jpeg-damage', 600), async (seed) => {
      const dice = new Dice(seed);
      const options = Object.values(KINDS)[dice.below(5)]!;
      const jpeg = await photo(options, seed);
      expect([seed, verdictOf(jpeg)]).toEqual([seed, 'whole']);
      const begin = bitsOf(jpeg);
      const length = 1 + dice.below(600);
      const at = begin + dice.below(jpeg.length - begin - length - 2);
      const damaged =
        dice.below(2) === 0
          ? Buffer.from(jpeg).fill(dice.below(2) === 0 ? 0 : 0x20, at, at + length)
          : Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + length)]);
      found.of += 1;
      if (verdictOf(damaged) === 'damaged') found.damaged += 1;
    });
    expect(found.damaged / found.of).toBeGreaterThan(0.9);
  });

  it('finds a JPEG damaged whose restart markers are out of their order, or not where they belong', () => {
    const jpeg = Buffer.from(RESTARTED, 'base64');
    expect(verdictOf(jpeg)).toBe('whole');
    const [first, second] = [0xd0, 0xd1].map((code) => jpeg.indexOf(Buffer.from([0xff, code])));
    const exchanged = Buffer.from(jpeg);
    exchanged.writeUInt8(0xd1, first! + 1);
    exchanged.writeUInt8(0xd0, second! + 1);
    expect(verdictOf(exchanged)).toBe('damaged');
    expect(verdictOf(Buffer.concat([jpeg.subarray(0, first), jpeg.subarray(second)]))).toBe('damaged');
    expect(verdictOf(Buffer.concat([jpeg.subarray(0, second), jpeg.subarray(first)]))).toBe('damaged');
  });

  it('does not look into what it does not understand', () => {
    const jpeg = Buffer.from(RESTARTED, 'base64');
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt8(0xc9, frame + 1);
    expect(verdictOf(jpeg)).toBe('unknown');
    expect(verdictOf(Buffer.from([0xff, 0xd8, 0xff, 0xd9]))).toBe('unknown');
  });

  it.each(['a scan before its frame', 'a table longer than its segment', 'a component that the frame lacks'])(
    'finds a JPEG damaged with %s',
    (fault) => {
      const jpeg = Buffer.from(RESTARTED, 'base64');
      const at = (code: number) => jpeg.indexOf(Buffer.from([0xff, code]));
      if (fault.startsWith('a scan')) jpeg.writeUInt8(0xe1, at(0xc0) + 1);
      else if (fault.startsWith('a table')) jpeg.fill(0xff, at(0xc4) + 5, at(0xc4) + 21);
      else jpeg.writeUInt8(99, at(START_OF_SCAN) + 5);
      expect(verdictOf(jpeg)).toBe('damaged');
    },
  );
});
