#!/usr/bin/env node
/**
 * How reliably the quality gate tells a poor photo from a good one, on degraded copies of a folder of good photos:
 *
 *   npm run build && node bench/quality/calibrate-quality.mjs FOLDER [EVERY]
 *
 * Prints, as a Markdown table, on how many copies each warning came; with EVERY only each EVERY-th photo is taken.
 * Reads the photos, writes nothing.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { judgeQuality } from '../../dist/src/core/measurement/photo-quality.js';
import { assessPhoto } from '../../dist/src/inference/imaging/photo-figures.js';
import { contentOf, toLightnessGrid } from '../../dist/src/inference/imaging/quality/lightness-grid.js';
import { blur, expose, move, reflectLamp } from './degrade.mjs';

const WARNINGS = ['blurred', 'under_exposed', 'over_exposed', 'glare'];
const DEGRADATIONS = {
  untouched: (photo) => photo,
  ...Object.fromEntries([1, 1.5, 2, 3, 4, 6].map((sigma) => [`blur, σ ${sigma}`, (photo) => blur(photo, sigma)])),
  ...Object.fromEntries(
    [5, 9, 15].map((length) => [`camera moved by ${length} cells`, (photo) => move(photo, length)]),
  ),
  ...Object.fromEntries(
    [0.1, 0.2, 0.3, 0.5, 0.7, 1.4, 1.8, 2.5, 4].map((factor) => [
      `light × ${factor}`,
      (photo) => expose(photo, factor),
    ]),
  ),
  ...Object.fromEntries(
    [0.2, 0.5, 1, 2].map((percent) => [
      `reflections on ${percent} %`,
      (photo, seed) => reflectLamp(photo, percent / 100, seed),
    ]),
  ),
};

async function readPhoto(file) {
  const { data, info } = await sharp(file)
    .rotate()
    .resize(512, 512, { fit: 'inside', withoutEnlargement: true })
    .flatten()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** Without padding, which no camera would blur or light. */
async function withoutPadding({ pixels, width, height }) {
  const { left, top, right, bottom } = contentOf(toLightnessGrid({ pixels, width, height }));
  if (right - left < 32 || bottom - top < 32) return null;
  const area = { left, top, width: right - left, height: bottom - top };
  const cut = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .extract(area)
    .raw()
    .toBuffer();
  return { pixels: cut, width: area.width, height: area.height };
}

function warningsFor(photo) {
  const size = { widthPx: photo.width, heightPx: photo.height };
  const scale = { scale: null, marker: null, mismatch: false };
  return judgeQuality({ photo: size, figures: assessPhoto(photo), wounds: [], confidence: 1, scale, unfamiliar: false })
    .warnings;
}

async function main([folder, every = '1']) {
  if (folder === undefined) {
    console.error('Usage: node bench/quality/calibrate-quality.mjs FOLDER [EVERY]');
    process.exit(2);
  }
  const names = readdirSync(folder)
    .filter((name) => /\.(jpe?g|png|webp)$/i.test(name))
    .sort();
  const chosen = names.filter((_, index) => index % Number(every) === 0);
  const counts = Object.fromEntries(
    Object.keys(DEGRADATIONS).map((name) => [
      name,
      Object.fromEntries([...WARNINGS, 'any'].map((warning) => [warning, 0])),
    ]),
  );
  let photos = 0;
  for (const [seed, name] of chosen.entries()) {
    const photo = await readPhoto(join(folder, name));
    const content = await withoutPadding(photo);
    if (content === null) continue;
    photos += 1;
    for (const [degradation, degrade] of Object.entries(DEGRADATIONS)) {
      const given = warningsFor(degradation === 'untouched' ? photo : await degrade(content, seed + 1));
      const found = WARNINGS.filter((warning) => given.includes(warning));
      for (const warning of found) counts[degradation][warning] += 1;
      if (found.length > 0) counts[degradation].any += 1;
    }
  }
  print(counts, photos);
}

function print(counts, photos) {
  const share = (count) => (count === 0 ? '–' : `${((100 * count) / photos).toFixed(1)} %`);
  console.log(`${photos} photos\n`);
  console.log(
    `| Copy | ${WARNINGS.map((warning) => `\`${warning}\``).join(' | ')} | any |\n|---|${'---|'.repeat(WARNINGS.length + 1)}`,
  );
  for (const [degradation, row] of Object.entries(counts)) {
    console.log(`| ${degradation} | ${[...WARNINGS, 'any'].map((warning) => share(row[warning])).join(' | ')} |`);
  }
}

await main(process.argv.slice(2));
