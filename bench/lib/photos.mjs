import sharp from 'sharp';

const SIZES = { '1 MP': [1152, 864], '3 MP': [2000, 1500], '12 MP': [4000, 3000] };

/** JPEG photos of 1, 3 and 12 megapixels: skin with grain and a red wound, as heavy to decode as a camera's. */
export async function drawPhotos(names = Object.keys(SIZES)) {
  const photos = [];
  for (const name of names) {
    const [width, height] = SIZES[name];
    photos.push({ name, width, height, bytes: await drawPhoto(width, height) });
  }
  return photos;
}

async function drawPhoto(width, height) {
  const wound = `<svg width="${width}" height="${height}"><defs><radialGradient id="w"><stop offset="0" stop-color="#6d1216"/>
    <stop offset=".8" stop-color="#a8282b"/><stop offset="1" stop-color="#c8665a"/></radialGradient></defs>
    <ellipse cx="${width / 2}" cy="${height / 2}" rx="${width / 6}" ry="${height / 7}" fill="url(#w)"/></svg>`;
  const grain = await sharp({
    create: { width, height, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 9 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#dcb09a' } })
    .composite([{ input: Buffer.from(wound) }, { input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer();
}
