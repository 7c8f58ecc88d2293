import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';

const { CALIBRATION_CARDS, MARKER_CELLS } = await import(
  pathToFileURL(resolve(import.meta.dirname, '../../dist/src/core/calibration/calibration-card.js')).href
);

const [WIDTH, HEIGHT] = [1152, 864];
const RGB = 3;
const GRAIN = 8;
const RED = ['#6d1216', '#a8282b', '#c8665a'];
const BLACK = ['#1c1412', '#2c1c18', '#8a4a3c'];
const SCENES = {
  'large wound': { wounds: [[576, 432, 192, 123, RED]] },
  'small wound': { wounds: [[760, 300, 44, 30, RED]] },
  'two wounds': {
    wounds: [
      [380, 430, 120, 90, RED],
      [850, 520, 90, 120, RED],
    ],
  },
  'dark wound': { skin: '#7a5238', wounds: [[560, 440, 170, 130, BLACK]] },
  'hairy skin': { wounds: [[576, 432, 150, 100, RED]], hairs: 400 },
  'noisy photo': { wounds: [[576, 432, 192, 123, RED]], grain: 20 },
  'no wound': { wounds: [] },
  'wound and card': { wounds: [[800, 600, 130, 100, RED]], card: true },
};

/** JPEG photos of one megapixel that take different ways through the analysis; the same bytes every time. */
export function drawStepPhotos() {
  return Promise.all(Object.entries(SCENES).map(async ([name, scene]) => ({ name, bytes: await drawPhoto(scene) })));
}

async function drawPhoto({ skin = '#dcb09a', wounds, hairs = 0, grain = GRAIN, card = false }) {
  const drawing = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${skin}"/>`,
    ...wounds.map(drawWound),
    ...Array.from({ length: hairs }, (_, index) => drawHair(index)),
    card ? drawCard(CALIBRATION_CARDS.credit_card) : '',
  ];
  const pixels = await sharp(Buffer.from(`<svg width="${WIDTH}" height="${HEIGHT}">${drawing.join('')}</svg>`))
    .removeAlpha()
    .raw()
    .toBuffer();
  addGrain(pixels, grain);
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: RGB } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

function drawWound([x, y, rx, ry, [middle, bed, edge]], index) {
  return (
    `<radialGradient id="w${index}"><stop offset="0" stop-color="${middle}"/><stop offset=".8" stop-color="${bed}"/>` +
    `<stop offset="1" stop-color="${edge}"/></radialGradient>` +
    `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="url(#w${index})"/>`
  );
}

function drawHair(index) {
  const [x, y] = [(index * 397) % WIDTH, (index * 613) % HEIGHT];
  return `<path d="M${x} ${y}q40 40 10 90" stroke="#3a2a20" stroke-width="1.5" fill="none"/>`;
}

/** From above, four pixels to the millimetre. */
function drawCard({ widthMm, heightMm, markerMm, markers }) {
  const cell = markerMm / MARKER_CELLS;
  const square = (x, y, side, colour) => `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="${colour}"/>`;
  const codes = markers.flatMap(({ corner: [x, y], code }) => [
    square(x, y, markerMm, '#222'),
    ...code.flatMap((row, down) =>
      [...row].map((bit, across) =>
        bit === '1' ? square(x + (across + 1) * cell, y + (down + 1) * cell, cell * 1.01, '#ecebe6') : '',
      ),
    ),
  ]);
  return `<g transform="translate(60 80) scale(4)"><rect width="${widthMm}" height="${heightMm}" fill="#ecebe6"/>${codes.join('')}</g>`;
}

/** Repeatable noise (a linear congruential generator), as heavy to decode as a camera's. */
function addGrain(pixels, grain) {
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length);
  for (let index = 0, state = 1; index < clamped.length; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    clamped[index] += ((state >>> 16) % (2 * grain + 1)) - grain;
  }
}
