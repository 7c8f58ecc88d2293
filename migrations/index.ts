import { CreateFoundation1763700000000 } from './1763700000000-create-foundation.js';

/** Every migration, oldest first. Forward only; never edited after release. */
export const MIGRATIONS = [CreateFoundation1763700000000];
