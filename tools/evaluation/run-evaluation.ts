import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '../../src/platform/config/settings.js';
import { lockDownDecoders } from '../../src/inference/imaging/decoder-lockdown.js';
import { openModels, type LoadedModels } from '../../src/inference/model/loaded-models.js';
import { toModelUsed } from '../../src/inference/model/model-manifest.js';
import { modelSelectionOf } from '../../src/inference/model/model-registry.js';
import { PhotoAnalyser } from '../../src/inference/model/photo-analyser.js';
import { runtimeProviders, runtimeSettingsOf } from '../../src/inference/model/runtime-providers.js';
import { USAGE, UsageError, readOrder, type EvaluationOrder } from './command-line.js';
import { listLabelledPictures, type LabelledPicture } from './pictures/labelled-pictures.js';
import { UnreadableInputError } from './pictures/photo-file.js';
import { writeContactSheet, type LegendEntry } from './sheet/contact-sheet.js';
import { WorstCases } from './sheet/worst-cases.js';
import { TISSUE_LEGEND, evaluateTissue } from './tissue/evaluate-tissue.js';
import { classesOf, summariseTissue } from './tissue/tissue-report.js';
import { toTissueTable } from './tissue/tissue-table.js';
import { WOUND_LEGEND, evaluateWounds } from './wounds/evaluate-wounds.js';
import { summariseWounds } from './wounds/wound-report.js';
import { toWoundTable } from './wounds/wound-table.js';

const EXIT_OK = 0;
export const EXIT_UNREADABLE = 1;
export const EXIT_USAGE = 2;

/** The output of the command. */
interface EvaluationOutput {
  out(text: string): void;
  err(text: string): void;
  /** Progress; not part of the answer. */
  progress(done: number, all: number): void;
}

/** One evaluation from the command's words to its exit code. Writes nothing but the sheet, where one is asked for. */
export async function runEvaluation(
  words: readonly string[],
  settings: Settings,
  output: EvaluationOutput,
): Promise<number> {
  try {
    const order = readOrder(words);
    output.out(order === 'help' ? USAGE : await evaluate(order, settings, output));
    return EXIT_OK;
  } catch (error) {
    if (error instanceof UsageError) {
      output.err(`${error.message}\n\n${USAGE}`);
      return EXIT_USAGE;
    }
    if (!(error instanceof UnreadableInputError) && !(error instanceof Error && error.name === 'ModelUnusableError'))
      throw error;
    output.err(error.message);
    return EXIT_UNREADABLE;
  }
}

interface Answer {
  readonly report: unknown;
  readonly table: string;
  readonly legend: readonly LegendEntry[];
}

async function evaluate(order: EvaluationOrder, settings: Settings, output: EvaluationOutput): Promise<string> {
  const { pictures, unusedMasks } = listLabelledPictures(order);
  if (order.sheetFile !== null) demandFolderOf(order.sheetFile);
  lockDownDecoders();
  const maxPixels = settings.images.maxPixels;
  const worst = new WorstCases();
  const models = await openFor(order, settings);
  const answer = order.isTissue
    ? await answerTissue(models, pictures, maxPixels, worst, output)
    : await answerWounds(models, pictures, maxPixels, worst, output);
  if (order.sheetFile !== null) await writeContactSheet(order.sheetFile, worst.tiles, answer.legend, maxPixels);
  if (unusedMasks > 0) output.err(`${unusedMasks} masks have no photo and took no part.`);
  return order.isJson ? JSON.stringify(answer.report, null, 2) : answer.table;
}

/** `--model` names the model that is evaluated; the other one is as the settings say. */
function openFor({ model, isTissue }: EvaluationOrder, settings: Settings): Promise<LoadedModels> {
  const selection = modelSelectionOf(settings);
  const named = model === null ? {} : isTissue ? { tissueModel: model } : { segmentationModel: model };
  return openModels({ ...selection, ...named }, runtimeProviders(runtimeSettingsOf(settings)));
}

async function answerWounds(
  models: LoadedModels,
  pictures: readonly LabelledPicture[],
  maxPixels: number,
  worst: WorstCases,
  output: EvaluationOutput,
): Promise<Answer> {
  const analyser = new PhotoAnalyser(models, { maxPixels });
  const cases = await oneByOne(pictures, output, (picture) => evaluateWounds(picture, analyser, worst));
  const used = [models.segmentation, ...(models.tissue === null ? [] : [models.tissue])].map(({ manifest }) =>
    toModelUsed(manifest),
  );
  const report = summariseWounds(cases, used, models.segmentation.provider);
  return { report, table: toWoundTable(report), legend: WOUND_LEGEND };
}

async function answerTissue(
  { tissue }: LoadedModels,
  pictures: readonly LabelledPicture[],
  maxPixels: number,
  worst: WorstCases,
  output: EvaluationOutput,
): Promise<Answer> {
  if (tissue === null)
    throw new UnreadableInputError(
      'There is no tissue model to evaluate. Name one with --model, or see SUTURA_TISSUE_MODEL.',
    );
  const cases = await oneByOne(pictures, output, (picture) => evaluateTissue(picture, tissue, maxPixels, worst));
  const report = summariseTissue(
    cases,
    classesOf(tissue.manifest.classes),
    [toModelUsed(tissue.manifest)],
    tissue.provider,
  );
  return { report, table: toTissueTable(report), legend: TISSUE_LEGEND };
}

async function oneByOne<Case>(
  pictures: readonly LabelledPicture[],
  { progress }: EvaluationOutput,
  evaluateOne: (picture: LabelledPicture) => Promise<Case>,
): Promise<Case[]> {
  const cases: Case[] = [];
  for (const picture of pictures) {
    cases.push(await evaluateOne(picture));
    progress(cases.length, pictures.length);
  }
  return cases;
}

/** Checked before hours of work, not after them. */
function demandFolderOf(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch {
    throw new UnreadableInputError(`${file} cannot be written: its folder is not there or not writable.`);
  }
}
