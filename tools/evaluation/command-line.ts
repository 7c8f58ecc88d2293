import { extname } from 'node:path';
import { parseArgs } from 'node:util';

export const USAGE = `Compares what the models find with what experts drew, on your own labelled photos.

  npm run evaluate -- --images DIR --masks DIR [options]

  --images DIR    photos: JPEG, PNG or WebP
  --masks DIR     their masks, of the same name: PNG, WebP, JPEG or BMP; above 127 is wound
  --model NAME    folder below SUTURA_MODELS_DIR, or a variant (fast); default: the model of the settings
  --ids FILE      take only the pictures this file lists, one name a line (also --split FILE)
  --limit N       take only the first N pictures
  --tissue        the masks hold tissue classes instead: 0 background, 1 slough, 2 granulation, 3 callus
  --sheet FILE    write the 24 worst cases as one JPEG; it shows the photos themselves
  --json          print the figures for machines
  --help          print this

Every figure is explained in docs/evaluation.md.`;

/** The command was called wrongly; the message says what is meant. */
export class UsageError extends Error {}

export interface EvaluationOrder {
  readonly images: string;
  readonly masks: string;
  /** null: as the settings say. */
  readonly model: string | null;
  readonly idsFile: string | null;
  readonly limit: number | null;
  readonly isTissue: boolean;
  /** null: no sheet. */
  readonly sheetFile: string | null;
  readonly isJson: boolean;
}

const MODEL_NAME = /^[a-z0-9][a-z0-9.-]*$/;
const JPEG_TYPES = ['.jpg', '.jpeg'];

/** The order that the words after the command give; `help` where help is asked for. Throws UsageError. */
export function readOrder(words: readonly string[]): EvaluationOrder | 'help' {
  const values = parse(words);
  if (values.help === true) return 'help';
  const { images, masks, model = null, limit, sheet = null } = values;
  if (images === undefined || masks === undefined) throw new UsageError('--images and --masks are needed.');
  if (values.ids !== undefined && values.split !== undefined)
    throw new UsageError('--ids and --split are two names of one option: give one.');
  if (model !== null && !MODEL_NAME.test(model))
    throw new UsageError('--model is the name of a folder below SUTURA_MODELS_DIR, or a variant, such as fast.');
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw new UsageError('--limit is a number of pictures, from 1 on.');
  if (sheet !== null && !JPEG_TYPES.includes(extname(sheet).toLowerCase()))
    throw new UsageError('--sheet is a file that ends in .jpg.');
  return {
    images,
    masks,
    model,
    idsFile: values.ids ?? values.split ?? null,
    limit: limit === undefined ? null : Number(limit),
    isTissue: values.tissue === true,
    sheetFile: sheet,
    isJson: values.json === true,
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        images: { type: 'string' },
        masks: { type: 'string' },
        model: { type: 'string' },
        ids: { type: 'string' },
        split: { type: 'string' },
        limit: { type: 'string' },
        tissue: { type: 'boolean' },
        sheet: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
