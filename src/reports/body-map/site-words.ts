import { SIDES } from '../../core/followup/site-words.js';
import type { Language } from '../../core/report/languages.js';

export { sideAndSiteOf, type BodySiteName } from '../../core/followup/site-words.js';

/** A report in a language is understood in its words for sides and sites, too. */
SIDES satisfies Readonly<Record<Language, unknown>>;
