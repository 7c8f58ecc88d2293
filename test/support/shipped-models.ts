import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the models that ship. */
export const SHIPPED_MODELS = resolve(__dirname, '../../models');

const [OUTLINE, ...OTHERS] = readdirSync(SHIPPED_MODELS).filter((name) => name.startsWith('wound-segmentation-fast-'));
if (OUTLINE === undefined || OTHERS.length > 0) throw new Error('one outline model ships: see models/');

/** The folder name of the outline model that ships. Tests read its name, version and figures here alone. */
export const OUTLINE_MODEL = OUTLINE;

/** Its manifest, in the shape that the caller reads. */
export function outlineManifest<Manifest>(): Manifest {
  return JSON.parse(readFileSync(join(SHIPPED_MODELS, OUTLINE_MODEL, 'manifest.json'), 'utf8')) as Manifest;
}
