import { CreateFoundation1763700000000 } from './1763700000000-create-foundation.js';
import { CreateCalibrationCards1763800000000 } from './1763800000000-create-calibration-cards.js';

/** Every migration, oldest first. Forward only; never edited after release. */
export const MIGRATIONS = [CreateFoundation1763700000000, CreateCalibrationCards1763800000000];
