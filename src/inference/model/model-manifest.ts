import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModelUsed } from '../../core/analysis/wound-result.js';

const MANIFEST_FILE = 'manifest.json';

const side = z.number().int().min(32).max(4096);
const perChannel = z.tuple([z.number(), z.number(), z.number()]);

/** What stands beside a model's weights: how to feed it and how to read it. */
export const MODEL_MANIFEST_SCHEMA = z.object({
  name: z.string().min(1),
  version: z.string().min(1),
  task: z.literal('wound-segmentation'),
  /** In the manifest's own folder. */
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  input: z.object({
    name: z.string().min(1),
    width: side,
    height: side,
    /** Of RGB values 0..1. */
    mean: perChannel,
    std: perChannel.refine((std) => std.every((value) => value > 0), 'must be positive'),
    resize: z.literal('letterbox'),
  }),
  output: z.object({ name: z.string().min(1) }),
  /** Probability from which a pixel belongs to a wound. */
  threshold: z.number().gt(0).lt(1),
  /** Outlines smaller than this share of the photo are left out. */
  minAreaShare: z.number().min(0).lt(1),
  researchOnly: z.boolean(),
  licence: z.string().min(1),
});

export type ModelManifest = z.infer<typeof MODEL_MANIFEST_SCHEMA>;

/** A model that cannot be used; the message names the file below the models folder and what is wrong with it. */
export class ModelUnusableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelUnusableError';
  }
}

/** Reads and checks one model's manifest. Throws ModelUnusableError. */
export function readManifest(modelsDir: string, model: string): ModelManifest {
  const file = `${model}/${MANIFEST_FILE}`;
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
export function readVerifiedWeights(modelsDir: string, model: string, manifest: ModelManifest): Buffer {
  const file = `${model}/${manifest.file}`;
  const weights = readOrExplain(modelsDir, file);
  const sha256 = createHash('sha256').update(weights).digest('hex');
  if (sha256 === manifest.sha256) return weights;
  throw new ModelUnusableError(`${file} does not match the sha256 in ${model}/${MANIFEST_FILE}: it is damaged or another model. Copy the model folder again.`);
}

/** What a result's trace says of the model. */
export function toModelUsed({ name, version, sha256, researchOnly }: ModelManifest): ModelUsed {
  return { name, version, sha256, researchOnly };
}

function readOrExplain(modelsDir: string, file: string): Buffer {
  try {
    return readFileSync(join(modelsDir, file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ModelUnusableError(`${file} cannot be read (${code}). Check SUTURA_MODELS_DIR and SUTURA_SEGMENTATION_MODEL.`);
  }
}
