import type { SignStatus } from '../analysis/infection-sign-codes.js';
import { bare, isMarked, isNotAssessed } from './negated-words.js';

/** What a form says of one sign; `unknown`: that nobody looked, or could not tell. */
export type SignAnswer = SignStatus | 'unknown';

const listed = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split('|')));

/** Whole answers, in the four languages of reports; grades are there, however slight. */
const PRESENT = listed(
  '1|true|x|y|yes|yes present|present|is present|positive|pos|observed|detected|found|seen|noted|new|increased|trace|slight|mild|minimal|moderate|marked|severe',
  'j|ja|vorhanden|positiv|festgestellt|beobachtet|neu|vermehrt|zunehmend|leicht|gering|mäßig|mässig|mittel|stark|ausgeprägt',
  'sí|si|presente|presentes|positivo|positiva|observado|observada|leve|moderado|moderada|intenso|intensa|grave',
  'oui|présent|présente|présents|présentes|positif|observé|observée|nouveau|léger|légère|modéré|modérée|sévère|important|importante',
);
const ABSENT = listed(
  '0|false|n|no|none|nil|no none|absent|not present|is absent|negative|neg|not seen|not detected|not observed|not found|none seen|none noted|none present|denies|denied',
  'nein|kein|keine|keiner|keines|nicht vorhanden|negativ|fehlt|fehlend|ohne|nicht feststellbar|nicht festgestellt|nicht beobachtet',
  'ninguno|ninguna|ausente|ausentes|negativo|negativa|no presenta|no hay|no presente|no observado|no observada|sin|niega',
  'non|aucun|aucune|absente|absents|absentes|négatif|négative|negatif|pas présent|non présent|non observé|non observée|néant',
);

/** The answer that these words are as a whole; undefined: they say something else, and are not guessed at. */
export function signStatusOfWords(words: string): SignAnswer | undefined {
  const trimmed = words.trim();
  if (/^(?:\(\+\)|\+{1,4}|[1-4]\+)$/.test(trimmed)) return 'present';
  if (/^[-–−]$|^\(-\)$/.test(trimmed)) return 'absent';
  const said = bare(words);
  if (PRESENT.has(said)) return 'present';
  if (ABSENT.has(said) && !isMarked(words)) return 'absent';
  return isNotAssessed(words) ? 'unknown' : undefined;
}
