import { withoutLongBase64 } from './long-base64.js';

const MAX_BYTES = 64 * 1024 * 1024;
const LONG = 'QUJD'.repeat(20_000);

describe('long base64', () => {
  it.each([
    ['has a character of another alphabet', `${LONG.slice(0, -4)}QU-D`],
    ['has padding in its middle', `QQ==${LONG}`],
    ['is not a multiple of four', `${LONG}Q`],
    ['has padding and then more', `${LONG}Q=Q=`],
    ['has a blank behind each character', 'A '.repeat(40_000)],
  ])('becomes a short text that is none where it %s', (_, data) => {
    expect(withoutLongBase64({ resourceType: 'Binary', data }, MAX_BYTES)).toEqual({
      resourceType: 'Binary',
      data: '=',
    });
  });

  it('stays where it is over the limit, or an element of another type', () => {
    const attachment = { resourceType: 'Binary', data: LONG };
    const sampled = { valueSampledData: { dimensions: 1, data: LONG }, note: [{ text: LONG }] };
    expect(withoutLongBase64(attachment, 1000)).toBe(attachment);
    expect(withoutLongBase64(sampled, MAX_BYTES)).toBe(sampled);
  });

  it('is cut in a copy, in lines or not, wherever it lies', () => {
    const media = {
      resourceType: 'Media',
      content: { contentType: 'image/png', data: LONG.replaceAll(/(.{76})/g, '$1\r\n') },
    };
    const bundle = {
      entry: [{ resource: media }, { resource: { extension: [{ url: 'urn:x', valueBase64Binary: `${LONG}QQ==` }] } }],
    };
    expect(withoutLongBase64(bundle, MAX_BYTES)).toEqual({
      entry: [
        { resource: { ...media, content: { contentType: 'image/png', data: 'AAAA' } } },
        { resource: { extension: [{ url: 'urn:x', valueBase64Binary: 'AAAA' }] } },
      ],
    });
    expect(media.content.data.length).toBeGreaterThan(LONG.length);
  });

  it('of 20 MiB is read in one pass, however often', () => {
    const binary = { resourceType: 'Binary', data: 'A'.repeat(28 * 1024 * 1024) };
    for (let round = 0; round < 20; round += 1) expect(withoutLongBase64(binary, MAX_BYTES).data).toBe('AAAA');
  });
});
