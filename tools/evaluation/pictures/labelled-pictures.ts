import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { UnreadableInputError } from './photo-file.js';

const PHOTO_TYPES = ['.jpg', '.jpeg', '.png', '.webp'];
const MASK_TYPES = ['.png', '.webp', '.jpg', '.jpeg', '.bmp'];
const NAMED_AT_MOST = 5;

/** A photo and the mask that an expert drew for it. */
export interface LabelledPicture {
  /** The file name without its type; the same for both files. */
  readonly id: string;
  readonly photoFile: string;
  readonly maskFile: string;
}

interface PictureFolders {
  readonly images: string;
  readonly masks: string;
  /** File that lists the ids to take, whatever else lies in the folders; null takes every photo. */
  readonly idsFile: string | null;
  readonly limit: number | null;
}

interface PictureList {
  /** By id, numbers in their order. */
  readonly pictures: readonly LabelledPicture[];
  /** Masks without a photo; they take no part. */
  readonly unusedMasks: number;
}

/** Pairs photos with masks by their stem. Throws UnreadableInputError where a photo or mask is missing or stands there twice, or none is left. */
export function listLabelledPictures({ images, masks, idsFile, limit }: PictureFolders): PictureList {
  const photoFiles = filesByStem(images, PHOTO_TYPES);
  const maskFiles = filesByStem(masks, MASK_TYPES);
  const ids = idsFile === null ? [...photoFiles.keys()].sort(inNaturalOrder) : readIds(idsFile);
  demand(ids, photoFiles, images, 'photo');
  demand(ids, maskFiles, masks, 'mask');
  const pictures = ids.map((id) => ({ id, photoFile: photoFiles.get(id)!, maskFile: maskFiles.get(id)! }));
  if (pictures.length === 0)
    throw new UnreadableInputError(`${images}: no picture to evaluate. Photos are read as JPEG, PNG or WebP.`);
  const unusedMasks = idsFile === null ? [...maskFiles.keys()].filter((id) => !photoFiles.has(id)).length : 0;
  return { pictures: pictures.slice(0, limit ?? undefined), unusedMasks };
}

/** One id a line; empty lines and what follows a # are left out. */
function readIds(file: string): string[] {
  const lines = readOrExplain(file, () => readFileSync(file, 'utf8')).split(/\r?\n/);
  const ids = lines.map((line) => line.replace(/#.*$/, '').trim()).filter((id) => id !== '');
  return [...new Set(ids)].sort(inNaturalOrder);
}

function filesByStem(folder: string, types: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of readOrExplain(folder, () => readdirSync(folder)).sort()) {
    const type = extname(name);
    if (!types.includes(type.toLowerCase())) continue;
    const stem = name.slice(0, -type.length);
    if (files.has(stem))
      throw new UnreadableInputError(
        `${join(folder, name)}: there is a second file of the name ${stem} beside it. Leave one of them.`,
      );
    files.set(stem, join(folder, name));
  }
  return files;
}

function demand(ids: readonly string[], files: ReadonlyMap<string, string>, folder: string, what: string): void {
  const missing = ids.filter((id) => !files.has(id));
  if (missing.length === 0) return;
  const named = missing.slice(0, NAMED_AT_MOST).join(', ');
  const more = missing.length > NAMED_AT_MOST ? ` and ${missing.length - NAMED_AT_MOST} more` : '';
  throw new UnreadableInputError(
    `${folder}: no ${what} for ${named}${more}. Add it, or name the pictures to take with --ids.`,
  );
}

function readOrExplain<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableInputError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}

function inNaturalOrder(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true }) || (a < b ? -1 : 1);
}
