import { ANALYSIS_SECTIONS } from './sections/analysis-settings.js';
import { DOOR_SECTIONS } from './sections/door-settings.js';
import { PEOPLE_SECTIONS } from './sections/people-settings.js';
import { PROCESS_SECTIONS } from './sections/process-settings.js';
import { STORE_SECTIONS } from './sections/store-settings.js';

export { EXECUTION_PROVIDERS } from './sections/analysis-settings.js';
export { ROLES } from './sections/process-settings.js';

/** Every variable the gateway reads, by the section of Settings that it fills, with its limits and default. A test compares them with docs/settings.md. */
export const SECTIONS = {
  ...PROCESS_SECTIONS,
  ...STORE_SECTIONS,
  ...ANALYSIS_SECTIONS,
  ...DOOR_SECTIONS,
  ...PEOPLE_SECTIONS,
} as const;
