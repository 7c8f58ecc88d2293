import { readFile } from 'node:fs/promises';
import { isSuturaError } from '../../../src/core/errors/sutura-error.js';

/** Something that was to be read cannot be, or does not fit; the message names the file. */
export class UnreadableInputError extends Error {}

/** A photo's bytes. Throws UnreadableInputError. */
export async function readPhoto(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UnreadableInputError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}

/** The error for a photo whose analysis failed; errors other than named refusals are passed on as they are. */
export function refusedPhoto(file: string, error: unknown): unknown {
  if (!isSuturaError(error)) return error;
  if (error.code === 'model.output_invalid')
    return new UnreadableInputError(`${file}: the model's answer holds no probabilities.`);
  return new UnreadableInputError(
    `${file} cannot be read as a photo. JPEG, PNG and WebP are read, whole and within SUTURA_MAX_IMAGE_PIXELS.`,
  );
}
