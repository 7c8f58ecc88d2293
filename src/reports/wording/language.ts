import { LANGUAGES, type Language } from '../../core/report/languages.js';

export { LANGUAGES, type Language };

const DEFAULT_LANGUAGE: Language = 'en';
/** Longer headers than any browser sends are not read to the end. */
const MOST_RANGES = 50;

interface LanguageRange {
  /** The primary subtag in lower case, or `*`. */
  readonly primary: string;
  readonly hasSubtags: boolean;
  readonly quality: number;
}

/**
 * The language of a document: `?lang=` goes before `Accept-Language` (RFC 9110 12.5.4, with quality values; `de-CH` is served `de`);
 * English where nothing fits. null: the query names a language that there is no wording for, which is the caller's fault.
 */
export function chooseLanguage(query: string | undefined, acceptLanguage: string | undefined): Language | null {
  if (query !== undefined) return languageOf(query.trim().toLowerCase().split('-')[0]!);
  const ranges = (acceptLanguage ?? '').split(',', MOST_RANGES).flatMap(parseRange);
  return preferred(ranges) ?? DEFAULT_LANGUAGE;
}

function languageOf(primary: string): Language | null {
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** `de-CH;q=0.8`; what is not written so counts for nothing. */
function parseRange(text: string): LanguageRange[] {
  const found = /^\s*(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(text);
  if (found === null) return [];
  const [primary, ...subtags] = found[1]!.toLowerCase().split('-');
  return [{ primary: primary!, hasSubtags: subtags.length > 0, quality: Number(found[2] ?? 1) }];
}

/** The range of highest quality that we have a language for; of equal ones the first. */
function preferred(ranges: readonly LanguageRange[]): Language | null {
  const refused = ranges
    .filter(({ quality, hasSubtags }) => quality === 0 && !hasSubtags)
    .map(({ primary }) => primary);
  const byQuality = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { primary } of byQuality) {
    const language = primary === '*' ? anyOther(ranges) : languageOf(primary);
    if (language !== null && !refused.includes(language)) return language;
  }
  return null;
}

/** `*` stands for the languages that no other range names (RFC 4647 3.3.1). */
function anyOther(ranges: readonly LanguageRange[]): Language | null {
  return LANGUAGES.find((language) => !ranges.some(({ primary }) => primary === language)) ?? null;
}
