import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { PhotoSize } from '../../../src/core/measurement/probability-map.js';
import { UnreadableInputError } from '../pictures/photo-file.js';
import { fittedText, plotText, textHeightPx } from './bitmap-font.js';
import { BACKGROUND, PANEL_SIDE_PX, drawPanel, type Colour, type Layer } from './outlined-panel.js';

/** One photo on a sheet: its panels side by side above a caption. */
export interface SheetTile {
  readonly photoFile: string;
  readonly photo: PhotoSize;
  /** For each panel the regions that are outlined on it. */
  readonly panels: readonly (readonly Layer[])[];
  readonly caption: string;
}

/** A colour and its meaning. */
export interface LegendEntry {
  readonly name: string;
  readonly colour: Colour;
}

const PANELS_A_ROW = 6;
const GAP_PX = 8;
const TEXT_SCALE = 2;
const LINE_PX = textHeightPx(TEXT_SCALE) + GAP_PX;
const TEXT_COLOUR: Colour = [235, 235, 235];
const JPEG_QUALITY = 88;
const RGB = 3;

interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Writes the tiles as one JPEG, in their order. Photos above `maxPixels` are refused. Throws UnreadableInputError where the file cannot be written. */
export async function writeContactSheet(
  file: string,
  tiles: readonly SheetTile[],
  legend: readonly LegendEntry[],
  maxPixels: number,
): Promise<void> {
  const panelsATile = tiles[0]?.panels.length ?? 1;
  const columns = Math.max(1, Math.floor(PANELS_A_ROW / panelsATile));
  const tileWidth = panelsATile * (PANEL_SIDE_PX + GAP_PX);
  const tileHeight = PANEL_SIDE_PX + LINE_PX + 2 * GAP_PX;
  const canvas = emptyCanvas(
    GAP_PX + columns * tileWidth,
    2 * GAP_PX + LINE_PX + Math.ceil(tiles.length / columns) * tileHeight,
  );
  writeLegend(canvas, tiles.length === 0 ? [{ name: 'Nothing was wrong.', colour: TEXT_COLOUR }] : legend);
  for (const [index, tile] of tiles.entries()) {
    const left = GAP_PX + (index % columns) * tileWidth;
    const top = 2 * GAP_PX + LINE_PX + Math.floor(index / columns) * tileHeight;
    for (const [position, layers] of tile.panels.entries()) {
      copyPanel(
        canvas,
        await drawPanel(tile.photoFile, tile.photo, layers, maxPixels),
        left + position * (PANEL_SIDE_PX + GAP_PX),
        top,
      );
    }
    write(
      canvas,
      fittedText(tile.caption, tileWidth - GAP_PX, TEXT_SCALE),
      left,
      top + PANEL_SIDE_PX + GAP_PX,
      TEXT_COLOUR,
    );
  }
  const { width, height, pixels } = canvas;
  const jpeg = await sharp(pixels, { raw: { width, height, channels: RGB }, limitInputPixels: false })
    .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
  await writeFile(file, jpeg).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableInputError(`${file} cannot be written (${error.code ?? 'unknown'}).`);
  });
}

function emptyCanvas(width: number, height: number): Canvas {
  const pixels = new Uint8Array(width * height * RGB);
  for (let at = 0; at < pixels.length; at += RGB) pixels.set(BACKGROUND, at);
  return { width, height, pixels };
}

function writeLegend(canvas: Canvas, legend: readonly LegendEntry[]): void {
  const widest = Math.floor((canvas.width - GAP_PX) / Math.max(1, legend.length));
  legend.forEach(({ name, colour }, index) =>
    write(
      canvas,
      fittedText(name, widest - GAP_PX, TEXT_SCALE),
      GAP_PX + index * Math.min(widest, PANEL_SIDE_PX),
      GAP_PX,
      colour,
    ),
  );
}

function copyPanel({ width, pixels }: Canvas, panel: Uint8Array, left: number, top: number): void {
  for (let row = 0; row < PANEL_SIDE_PX; row += 1) {
    pixels.set(
      panel.subarray(row * PANEL_SIDE_PX * RGB, (row + 1) * PANEL_SIDE_PX * RGB),
      ((top + row) * width + left) * RGB,
    );
  }
}

function write({ width, pixels }: Canvas, text: string, left: number, top: number, colour: Colour): void {
  plotText(text, left, top, TEXT_SCALE, (x, y) => {
    for (let row = y; row < y + TEXT_SCALE; row += 1) {
      for (let column = x; column < x + TEXT_SCALE; column += 1) pixels.set(colour, (row * width + column) * RGB);
    }
  });
}
