import { performance } from 'node:perf_hooks';
import type { PhotoAnalyser, PhotoAnalysis } from '../../../src/inference/model/photo-analyser.js';
import { countPixels, type BinaryMask } from '../metrics/binary-mask.js';
import { dice } from '../metrics/overlap.js';
import type { LabelledPicture } from '../pictures/labelled-pictures.js';
import { readWoundMask } from '../pictures/label-mask.js';
import { readPhoto, refusedPhoto } from '../pictures/photo-file.js';
import type { LegendEntry, SheetTile } from '../sheet/contact-sheet.js';
import { toLayer, type Colour } from '../sheet/outlined-panel.js';
import type { WorstCases } from '../sheet/worst-cases.js';
import { compareWithLabel, numberOutlines, outlinesAsMask } from './wound-case.js';
import type { WoundCase } from './wound-report.js';

const LABEL_COLOUR: Colour = [255, 221, 0];
const FOUND_COLOUR: Colour = [0, 200, 255];

export const WOUND_LEGEND: readonly LegendEntry[] = [
  { name: 'Expert: yellow', colour: LABEL_COLOUR },
  { name: 'Model: blue', colour: FOUND_COLOUR },
];

/** Analyses one labelled photo as a worker does and compares. Throws UnreadableInputError naming the file that cannot be used. */
export async function evaluateWounds(
  picture: LabelledPicture,
  analyser: PhotoAnalyser,
  worst: WorstCases,
): Promise<WoundCase> {
  const bytes = await readPhoto(picture.photoFile);
  const started = performance.now();
  const analysis = await analyser
    .analyse(bytes, null)
    .catch((error: unknown) => Promise.reject(refusedPhoto(picture.photoFile, error)));
  const analyseMs = performance.now() - started;
  const label = await readWoundMask(picture.maskFile, analysis.photo);
  const outlineOfPixel = numberOutlines(analysis);
  const comparison = compareWithLabel(analysis, label, outlineOfPixel);
  offer(worst, picture, analysis, label, outlinesAsMask(analysis, outlineOfPixel), dice(comparison.overlap));
  return { id: picture.id, ...comparison, analyseMs, stepsMs: analysis.trace.timingsMs };
}

function offer(
  worst: WorstCases,
  { id, photoFile }: LabelledPicture,
  { photo }: PhotoAnalysis,
  label: BinaryMask,
  found: BinaryMask,
  score: number | null,
): void {
  if (score === null) return;
  const wrongPx = label.pixels.reduce((wrong, pixel, index) => wrong + (pixel ^ found.pixels[index]!), 0);
  worst.offer(score, wrongPx / label.pixels.length, (): SheetTile => {
    const remark = countPixels(label) === 0 ? '  empty label' : countPixels(found) === 0 ? '  missed' : '';
    const panels = [[toLayer(label, LABEL_COLOUR), toLayer(found, FOUND_COLOUR)]];
    return { photoFile, photo, panels, caption: `${score.toFixed(3)}  ${id}${remark}` };
  });
}
