import { describeUnknownFormat, detectImageFormat } from './image-format.js';

const head = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('photos that are not read', () => {
  it.each([
    ['a HEIC photo of a phone', '\0\0\0\x24ftypheic'],
    ['one of its other brands', '\0\0\0\x18ftypmif1'],
    ['an AVIF picture', '\0\0\0\x20ftypavif'],
  ])('say how to send %s', (_, start) => {
    expect(detectImageFormat(head(start))).toBeNull();
    expect(describeUnknownFormat(head(start))).toMatch(/Send it as JPEG: on an iPhone/);
  });

  it.each([
    ['a GIF', 'GIF89a\0\0\0\0\0\0'],
    ['a film', '\0\0\0\x18ftypmp42'],
    ['nothing', ''],
  ])('say what is read for %s', (_, start) => {
    expect(describeUnknownFormat(head(start))).toMatch(/^Send a JPEG, PNG or WebP photo/);
  });
});
