/** What lists of leaked passwords are made of, most of them in every such list: words, names and ways over a keyboard. Longest first where one begins with another. */
const WORDS = `
  administrator password passwort passwrd passwd contrasena motdepasse kennwort geheim secret changeme changeit default welcome willkommen bienvenue
  letmein iloveyou loveyou sunshine princess football baseball basketball superman batman spiderman starwars pokemon dragon monkey master
  shadow michael jordan jessica jennifer ashley charlie daniel thomas robert george andrew matthew joshua hannah anthony martin nicole
  michelle amanda hunter ranger killer soccer hockey tigger buster pepper ginger cookie summer winter autumn spring freedom whatever
  trustno computer internet google facebook samsung liverpool chelsea arsenal barcelona mustang ferrari porsche corvette yamaha harley
  flower butterfly chocolate banana orange purple silver golden diamond maverick phoenix victoria elizabeth alexander london
  berlin america canada january february march april august september october november december monday tuesday wednesday thursday
  friday saturday sunday hallo hello admin administrateur root user guest login access system server network service support manager
  hospital klinik clinic doctor nurse patient health medical wound test demo temp pass love god
  qwertyuiop qwertzuiop qwerty qwertz azerty asdfghjkl asdfgh zxcvbnm yxcvbnm 1q2w3e4r5t6y 1q2w3e4r q1w2e3r4 qazwsxedc qazwsx 1qaz 2wsx 3edc
  zaq1 xsw2 cde3 abc123 a1b2c3
  krankenhaus krankenschwester schwester pfleger pflege praxis station patientin gesundheit fussball fußball schatz sommer herbst frühling fruehling
  januar februar märz maerz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag deutschland hamburg münchen
  muenchen österreich schweiz hopital hôpital infirmiere infirmière infirmier docteur soleil bonjour jetaime doudou chouchou printemps automne hiver
  janvier fevrier février avril juillet septembre octobre novembre decembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche marseille france
  contraseña enfermera enfermero doctora clinica clínica hola tequiero teamo primavera verano otoño otono invierno enero febrero marzo abril mayo junio
  julio agosto septiembre octubre noviembre diciembre lunes martes miercoles miércoles jueves viernes sabado sábado domingo españa espana realmadrid
`
  .split(/\s+/)
  .filter((word) => word !== '')
  .sort((one, other) => other.length - one.length);
/** In which many write a letter. */
const LETTER_FOR: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};
const YEAR = /(?:19|20)\d\d/g;
const LEAST_LEFT = 6;
const LEAST_UNIT = 12;

/**
 * True where guessing begins with it (NIST SP 800-63B): it is a shorter text over and over, or next to nothing is left once well-known words, the
 * words of this place (`context`, small letters), sequences, repetitions and years are taken out.
 */
export function isEasilyGuessed(password: string, context: readonly string[]): boolean {
  const small = password.toLowerCase();
  const lettered = [...small].map((character) => LETTER_FOR[character] ?? character).join('');
  return isRepeated(small) || [small, lettered].some((text) => charactersLeft(text, context) < LEAST_LEFT);
}

/** Of a text that begins with a shorter one over and over, only that one need be guessed. */
function isRepeated(text: string): boolean {
  for (let unit = 1; unit < LEAST_UNIT && unit <= text.length / 2; unit += 1)
    if (text.slice(unit) === text.slice(0, -unit)) return true;
  return false;
}

function charactersLeft(text: string, context: readonly string[]): number {
  const left = [...context, ...WORDS].reduce((rest, word) => rest.replaceAll(word, ' '), text).replaceAll(YEAR, ' ');
  return left.split(/\s+/).reduce((sum, part) => sum + withoutRuns([...part]), 0);
}

/** Characters beyond runs of three or more such as aaa, 1234 and fedc, of which each counts as one. */
function withoutRuns(characters: readonly string[]): number {
  const steps = characters.slice(1).map((next, index) => next.codePointAt(0)! - characters[index]!.codePointAt(0)!);
  const isInRun = (index: number): boolean => Math.abs(steps[index]!) <= 1 && steps[index] === steps[index - 1];
  return characters.length - steps.filter((_, index) => index > 0 && isInRun(index)).length;
}
