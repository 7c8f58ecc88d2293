/**
 * Whole phrases by which forms and people say that there is nothing, in the four languages of reports. What says more than that is a finding: "no
 * fever, but pus" is one.
 */
const NEGATIONS = new Set(
  [
    '',
    '0',
    'false',
    'n',
    // English
    'no|none|nil|nothing|negative|neg|absent|not present|not infected|not seen|not detected|not found|not observed|none noted|none seen|none present|none observed',
    'no signs|no sign|no infection|no signs of infection|no sign of infection|no infection signs|without signs of infection|without infection',
    'no evidence of infection|no clinical signs of infection|denies',
    // German
    'nein|kein|keine|keines|nichts|negativ|nicht vorhanden|nicht infiziert|nicht festgestellt|fehlt|ohne|o b|ob|reizlos|unauffällig',
    'keine zeichen|kein zeichen|keine infektion|keine infektionszeichen|kein infektionszeichen|keine zeichen einer infektion|ohne infektionszeichen|ohne infektion',
    'keine lokalen infektionszeichen|keine klinischen infektionszeichen|kein hinweis auf infektion|kein anhalt für infektion',
    // Spanish
    'ninguno|ninguna|ningun|ningún|nada|negativo|ausente|ausentes|no hay|no presenta|no infectada|sin signos|sin infección|sin infeccion',
    'sin signos de infección|sin signos de infeccion|no hay signos de infección|no hay signos de infeccion|ningún signo de infección|ningun signo de infeccion',
    // French
    'non|aucun|aucune|rien|néant|neant|négatif|negatif|absence|absents|absente|absentes|pas de signe|pas de signes|pas d infection|sans infection|non infecté|non infectée',
    'aucun signe|aucun signe d infection|pas de signe d infection|pas de signes d infection|absence de signe d infection|absence de signes d infection|sans signe d infection',
  ].flatMap((line) => line.split('|')),
);

/** Whole phrases by which they say that nobody looked, or could not tell. */
const NOT_ASSESSED = new Set(
  [
    'unknown|unk|not known|not assessed|not examined|not checked|not documented|not stated|unable to assess|cannot assess|not applicable|n a|na|nav|asku|nask|ni',
    'unbekannt|nicht bekannt|nicht beurteilt|nicht beurteilbar|nicht untersucht|nicht erhoben|nicht dokumentiert|keine angabe|keine angaben|k a|entfällt',
    'desconocido|desconocida|se desconoce|no valorado|no valorada|no valorable|no evaluado|no evaluada|no explorado|no consta|no aplica|no procede',
    'inconnu|inconnue|non connu|non évalué|non évaluée|non evalue|non évaluable|non examiné|non examinée|non renseigné|non applicable|sans objet',
  ].flatMap((line) => line.split('|')),
);

/** Signs that mean nothing by themselves, or nothing at all: points, quotes, dashes, strokes, brackets, an empty box. Any other (`+`, `↑`, a tick) says that there is something. */
const PLAIN = /^[\p{L}\p{M}\p{N}\s\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}.,;:!'"`´·/\\_*?¿¡•…|~∅\u2610\u2212\u00ad\p{Cf}]*$/u;
/** An empty box before a word says no more than that nobody chose it. */
const DOUBT = /[?¿\u2610]/u;

/** Whether the words say, as a whole, that there is nothing. */
export function isNegation(words: string): boolean {
  return !isMarked(words) && NEGATIONS.has(bare(words));
}

/** Whether they say, as a whole, that it is not known (`none?` is a doubt): neither that there is something nor that there is nothing. */
export function isNotAssessed(words: string): boolean {
  if (!PLAIN.test(words)) return false;
  return NOT_ASSESSED.has(bare(words)) || (DOUBT.test(words) && NEGATIONS.has(bare(words)));
}

/** They doubt it, or have a mark that says that there is something. */
export function isMarked(words: string): boolean {
  return !PLAIN.test(words) || DOUBT.test(words);
}

/** In small letters, without signs. */
export function bare(words: string): string {
  return words
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
