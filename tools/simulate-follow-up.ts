import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tablesOf } from './follow-up/wrong-tables.js';

/** One standard deviation of the length by a printed card that nobody measured (docs/calibration-card.md, "Uncertainty"). */
const CARD_UNCERTAINTY_PCT = 1.2;
const MODELS_DIR = process.env.MODELS_DIR ?? 'models';
const PREFIX = 'wound-segmentation-';
const WOUNDS = Number(process.argv[2] ?? 2000);

/** `node bench/quality/simulate-follow-up.mjs`: how often the follow-up is wrong, as tables of docs/follow-up.md. */
function main(): void {
  const models = readdirSync(MODELS_DIR).filter((name) => name.startsWith(PREFIX));
  const errors = models.sort().map((model) => {
    const manifest: unknown = JSON.parse(readFileSync(join(MODELS_DIR, model, 'manifest.json'), 'utf8'));
    const { areaRepeatabilityPct } = manifest as { readonly areaRepeatabilityPct: number };
    const name = model.slice(PREFIX.length).replace(/-[^-]*$/, '');
    return { name, areaRepeatabilityPct, scaleUncertaintyPct: CARD_UNCERTAINTY_PCT };
  });
  process.stdout.write(`${tablesOf(WOUNDS, errors)}\n`);
}

main();
