import { readFile } from 'node:fs/promises';
import { isSuturaError } from '../../core/errors/sutura-error.js';

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

/** What a failed analysis says of the photo; anything but a named refusal is passed on as it is. */
export function refusedPhoto(file: string, error: unknown): unknown {
  if (!isSuturaError(error)) return error;
  if (error.code === 'model.output_invalid')
    return new UnreadableInputError(`${file}: the model's answer holds no probabilities.`);
  return new UnreadableInputError(
    `${file} cannot be read as a photo. JPEG, PNG and WebP are read, whole and within SUTURA_MAX_IMAGE_PIXELS.`,
  );
}
