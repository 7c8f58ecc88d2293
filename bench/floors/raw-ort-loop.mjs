// The work itself and nothing around it: decode, outline, mask PNG, tissue of the wound, one photo after another in one process. No HTTP, no
// database, no measuring.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { drawPhotos } from '../lib/photos.mjs';

/** As the gateway's inference processes run. */
const NICENESS = 10;

const { modelDir, tissueDir, photoNames } = JSON.parse(process.env.BENCH_SETTINGS);
setPriority(NICENESS);
sharp.concurrency(1);
sharp.cache(false);
const outline = await openModel(modelDir);
const tissue = await openModel(tissueDir);
const { width, height } = outline.manifest.input;
const photos = await drawPhotos(photoNames);

async function openModel(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const options = {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  };
  return { manifest, session: await InferenceSession.create(readFileSync(join(folder, manifest.file)), options) };
}

/** What the model says of pixels that lie at `place` in its frame. */
async function predict({ manifest: { input, output }, session }, pixels, place) {
  const answer = await session.run({
    [input.name]: new Tensor('float32', toTensor(input, pixels, place), [1, 3, input.height, input.width]),
  });
  return answer[output.name].data;
}

async function analyse(photo) {
  const { autoOrient } = await sharp(photo.bytes).metadata();
  const scale = Math.min(width / autoOrient.width, height / autoOrient.height);
  const content = { width: Math.round(autoOrient.width * scale), height: Math.round(autoOrient.height * scale) };
  const place = {
    left: Math.floor((width - content.width) / 2),
    top: Math.floor((height - content.height) / 2),
    ...content,
  };
  const pixels = await sharp(photo.bytes)
    .autoOrient()
    .resize(content.width, content.height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  const map = await predict(outline, pixels, place);
  const binary = Buffer.alloc(width * height);
  for (let index = 0; index < binary.length; index += 1)
    binary[index] = map[index] >= outline.manifest.threshold ? 255 : 0;
  await describeTissue(pixels, content, boxOf(binary, place));
  return sharp(binary, { raw: { width, height, channels: 1 } })
    .extract(place)
    .resize(autoOrient.width, autoOrient.height, { kernel: 'nearest', fit: 'fill' })
    .toColourspace('b-w')
    .png({ compressionLevel: 1, adaptiveFiltering: false })
    .toBuffer();
}

/** Around what is outlined, in pixels of the content; the whole content where nothing is. */
function boxOf(binary, place) {
  let [left, top, right, bottom] = [place.width, place.height, -1, -1];
  for (let row = 0; row < place.height; row += 1) {
    for (let column = 0; column < place.width; column += 1) {
      if (binary[(place.top + row) * width + place.left + column] === 0) continue;
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
  }
  return right < 0
    ? { left: 0, top: 0, width: place.width, height: place.height }
    : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

async function describeTissue(pixels, content, box) {
  const { input } = tissue.manifest;
  const scale = Math.min(input.width / box.width, input.height / box.height);
  const fitted = {
    width: Math.max(1, Math.round(box.width * scale)),
    height: Math.max(1, Math.round(box.height * scale)),
  };
  const crop = await sharp(pixels, { raw: { ...content, channels: 3 } })
    .extract(box)
    .resize(fitted.width, fitted.height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  await predict(tissue, crop, {
    left: Math.floor((input.width - fitted.width) / 2),
    top: Math.floor((input.height - fitted.height) / 2),
    ...fitted,
  });
}

function toTensor({ width: frameWidth, height: frameHeight, mean, std }, pixels, { left, top, ...content }) {
  const plane = frameWidth * frameHeight;
  const values = new Float32Array(3 * plane);
  for (let channel = 0; channel < 3; channel += 1) {
    const factor = 1 / (255 * std[channel]);
    const black = -mean[channel] / std[channel];
    values.fill(black, channel * plane, (channel + 1) * plane);
    for (let row = 0; row < content.height; row += 1) {
      let target = channel * plane + (top + row) * frameWidth + left;
      let source = row * content.width * 3 + channel;
      for (let column = 0; column < content.width; column += 1, target += 1, source += 3)
        values[target] = pixels[source] * factor + black;
    }
  }
  return values;
}

/** Photos in turn for `secs`; how many were done and the duration of each. */
async function run(secs) {
  const durationsMs = [];
  const end = performance.now() + secs * 1000;
  for (let turn = 0; performance.now() < end; turn += 1) {
    const began = performance.now();
    await analyse(photos[turn % photos.length]);
    durationsMs.push(performance.now() - began);
  }
  return durationsMs;
}

for (const photo of photos) await analyse(photo);
process.on('message', async ({ secs }) => {
  const began = performance.now();
  const durationsMs = await run(secs);
  process.send({ kind: 'done', durationsMs, elapsedS: (performance.now() - began) / 1000 });
});
process.on('disconnect', () => process.exit(0));
process.send({ kind: 'ready' });
