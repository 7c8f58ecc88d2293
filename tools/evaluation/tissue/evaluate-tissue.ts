import { performance } from 'node:perf_hooks';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import type { PhotoSize } from '../../../src/core/measurement/probability-map.js';
import { readPhotoRaster } from '../../../src/inference/imaging/photo-raster.js';
import { StepClock } from '../../../src/inference/model/step-clock.js';
import type { TissueSession } from '../../../src/inference/model/tissue-session.js';
import { classConfusion } from '../metrics/class-confusion.js';
import type { LabelledPicture } from '../pictures/labelled-pictures.js';
import { readClassMask } from '../pictures/label-mask.js';
import { readPhoto, refusedPhoto } from '../pictures/photo-file.js';
import type { LegendEntry } from '../sheet/contact-sheet.js';
import { toLayer, type Colour, type Layer } from '../sheet/outlined-panel.js';
import type { WorstCases } from '../sheet/worst-cases.js';
import { classifyPicture } from './classify-picture.js';
import { LABELLED_CLASSES, TISSUE_NAMES, classesOf, meanTissueDice, type TissueCase } from './tissue-report.js';

const COLOURS: Readonly<Record<(typeof TISSUE_NAMES)[number], Colour>> = {
  slough: [255, 221, 0],
  granulation: [0, 200, 255],
  callus: [255, 80, 220],
};

export const TISSUE_LEGEND: readonly LegendEntry[] = [
  { name: 'Left expert, right model:', colour: [235, 235, 235] },
  ...TISSUE_NAMES.map((name) => ({ name, colour: COLOURS[name] })),
];

/** Tells the tissues of one labelled picture apart and compares. Throws UnreadableInputError naming the file that cannot be used. */
export async function evaluateTissue(
  picture: LabelledPicture,
  session: TissueSession,
  maxPixels: number,
  worst: WorstCases,
): Promise<TissueCase> {
  const bytes = await readPhoto(picture.photoFile);
  const { photo, found, analyseMs, stepsMs } = await classify(bytes, session, maxPixels).catch((error: unknown) => {
    throw refusedPhoto(picture.photoFile, error);
  });
  const label = await readClassMask(picture.maskFile, photo, LABELLED_CLASSES.length);
  const confusion = classConfusion(label, found, classesOf(session.manifest.classes).length);
  offer(worst, picture, photo, [label, found], meanTissueDice([confusion]));
  return { id: picture.id, confusion, analyseMs, stepsMs };
}

/** The classes found, numbered as `classesOf` lists them. */
async function classify(bytes: Uint8Array, session: TissueSession, maxPixels: number) {
  const started = performance.now();
  const clock = new StepClock();
  const raster = await readPhotoRaster(bytes, maxPixels).catch(() =>
    Promise.reject(new SuturaError('processing.failed')),
  );
  clock.step('decodeMs');
  const likeliest = await classifyPicture(session, raster);
  clock.step('tissueMs');
  const analyseMs = performance.now() - started;
  const all = classesOf(session.manifest.classes);
  const numbers = session.manifest.classes.map((name) => all.indexOf(name));
  return { photo: raster.photo, found: likeliest.map((index) => numbers[index]!), analyseMs, stepsMs: clock.timingsMs };
}

function offer(
  worst: WorstCases,
  { id, photoFile }: LabelledPicture,
  photo: PhotoSize,
  maps: readonly [Uint8Array, Uint8Array],
  score: number | null,
): void {
  if (score === null) return;
  const [label, found] = maps;
  const wrongPx = label.reduce((wrong, value, pixel) => wrong + (value === found[pixel] ? 0 : 1), 0);
  worst.offer(score, wrongPx / label.length, () => ({
    photoFile,
    photo,
    panels: maps.map((map) => toLayers(map, photo)),
    caption: `${score.toFixed(3)}  ${id}`,
  }));
}

function toLayers(classMap: Uint8Array, { widthPx: width, heightPx: height }: PhotoSize): Layer[] {
  return TISSUE_NAMES.map((name) => {
    const index = LABELLED_CLASSES.indexOf(name);
    return toLayer({ width, height, pixels: classMap.map((value) => (value === index ? 1 : 0)) }, COLOURS[name]);
  });
}
