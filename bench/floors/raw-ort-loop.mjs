// The work itself and nothing around it: decode, run, mask PNG, one photo after another in one process. No HTTP, no database.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { drawPhotos } from '../lib/photos.mjs';

/** As the gateway's inference processes run. */
const NICENESS = 10;

const { modelDir, photoNames } = JSON.parse(process.env.BENCH_SETTINGS);
setPriority(NICENESS);
sharp.concurrency(1);
sharp.cache(false);
const manifest = JSON.parse(readFileSync(join(modelDir, 'manifest.json'), 'utf8'));
const { width, height, mean, std, name: inputName } = manifest.input;
const session = await InferenceSession.create(readFileSync(join(modelDir, manifest.file)), {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
});
const photos = await drawPhotos(photoNames);

async function analyse(photo) {
  const { autoOrient } = await sharp(photo.bytes).metadata();
  const scale = Math.min(width / autoOrient.width, height / autoOrient.height);
  const content = { width: Math.round(autoOrient.width * scale), height: Math.round(autoOrient.height * scale) };
  const left = Math.floor((width - content.width) / 2);
  const top = Math.floor((height - content.height) / 2);
  const pixels = await sharp(photo.bytes).autoOrient().resize(content.width, content.height, { fit: 'fill', kernel: 'linear' }).raw().toBuffer();
  const answer = await session.run({ [inputName]: new Tensor('float32', toTensor(pixels, content, left, top), [1, 3, height, width]) });
  const map = answer[manifest.output.name].data;
  const binary = Buffer.alloc(width * height);
  for (let index = 0; index < binary.length; index += 1) binary[index] = map[index] >= manifest.threshold ? 255 : 0;
  return sharp(binary, { raw: { width, height, channels: 1 } })
    .extract({ left, top, ...content })
    .resize(autoOrient.width, autoOrient.height, { kernel: 'nearest', fit: 'fill' })
    .toColourspace('b-w')
    .png({ compressionLevel: 1, adaptiveFiltering: false })
    .toBuffer();
}

function toTensor(pixels, content, left, top) {
  const plane = width * height;
  const values = new Float32Array(3 * plane);
  for (let channel = 0; channel < 3; channel += 1) {
    const factor = 1 / (255 * std[channel]);
    const black = -mean[channel] / std[channel];
    values.fill(black, channel * plane, (channel + 1) * plane);
    for (let row = 0; row < content.height; row += 1) {
      let target = channel * plane + (top + row) * width + left;
      let source = row * content.width * 3 + channel;
      for (let column = 0; column < content.width; column += 1, target += 1, source += 3) values[target] = pixels[source] * factor + black;
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
