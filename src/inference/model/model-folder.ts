import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledModel } from '../../core/analysis/model-catalogue.js';
import { MODEL_MANIFEST_SCHEMA, type ModelManifest } from './model-manifest.js';

export const MANIFEST_FILE = 'manifest.json';
const CARD_FILE = 'MODEL_CARD.md';

const MAX_CARD_BYTES = 64 * 1024;

/** One model as it lies below the models folder. */
export interface ModelFolder<M extends ModelManifest = ModelManifest> {
  /** The folder's name. */
  readonly folder: string;
  readonly manifest: M;
}

/** A model that cannot be used; the message names the file below the models folder and what is wrong with it. */
export class ModelUnusableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelUnusableError';
  }
}

/** Reads and checks one model's manifest. Throws ModelUnusableError. */
export function readManifest(modelsDir: string, folder: string): ModelManifest {
  const file = `${folder}/${MANIFEST_FILE}`;
  const text = readOrExplain(modelsDir, file).toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ModelUnusableError(`${file} is not JSON. Copy the model folder again.`);
  }
  const parsed = MODEL_MANIFEST_SCHEMA.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ModelUnusableError(`${file} cannot be used: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** The weights, proven to be those that the manifest names. Throws ModelUnusableError when missing, damaged or exchanged. */
export function readVerifiedWeights(modelsDir: string, { folder, manifest }: ModelFolder): Buffer {
  const file = `${folder}/${manifest.file}`;
  const weights = readOrExplain(modelsDir, file);
  const sha256 = createHash('sha256').update(weights).digest('hex');
  if (sha256 === manifest.sha256) return weights;
  throw new ModelUnusableError(
    `${file} does not match the sha256 in ${folder}/${MANIFEST_FILE}: it is damaged or another model. Copy the model folder again.`,
  );
}

/** The model's card in Markdown, at most 64 KiB of it; null where there is none, or none that can be read. */
export function readCard(modelsDir: string, folder: string): Pick<InstalledModel, 'card' | 'cardIsWhole'> {
  try {
    const bytes = readBeginning(join(modelsDir, folder, CARD_FILE), MAX_CARD_BYTES + 1);
    return { card: bytes.subarray(0, MAX_CARD_BYTES).toString('utf8'), cardIsWhole: bytes.length <= MAX_CARD_BYTES };
  } catch {
    return { card: null, cardIsWhole: true };
  }
}

/** At most so many bytes, however large the file is. */
function readBeginning(path: string, maxBytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(maxBytes);
    return bytes.subarray(0, readSync(file, bytes, 0, maxBytes, 0));
  } finally {
    closeSync(file);
  }
}

function readOrExplain(modelsDir: string, file: string): Buffer {
  try {
    return readFileSync(join(modelsDir, file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ModelUnusableError(
      `${file} cannot be read (${code}). Check SUTURA_MODELS_DIR, SUTURA_SEGMENTATION_MODEL and SUTURA_TISSUE_MODEL.`,
    );
  }
}
