type Side = 'left' | 'right';

export interface SiteInWords {
  readonly site: BodySiteName | null;
  readonly side: Side | null;
  /** Both sides are named. */
  readonly isContradictory: boolean;
}

/** By language; one that is added here needs its names below as well. */
export const SIDES = {
  en: { left: 'left lt', right: 'right rt' },
  de: { left: 'links linke linker linkes linken li', right: 'rechts rechte rechter rechtes rechten re' },
  fr: { left: 'gauche', right: 'droit droite' },
  es: { left: 'izquierdo izquierda izq izqdo izqda', right: 'derecho derecha dcho dcha' },
} as const satisfies Readonly<Record<string, Readonly<Record<Side, string>>>>;
const SIDE_WORDS: ReadonlyMap<string, Side> = new Map(
  Object.values(SIDES).flatMap((sides) =>
    (Object.entries(sides) as [Side, string][]).flatMap(([side, words]) =>
      words.split(' ').map((word) => [word, side] as const),
    ),
  ),
);

/** Words that say nothing of where it is. */
const EMPTY_WORDS = new Set(
  'structure structures skin region area site surface of the entire part haut der die das des am an bereich region peau de du d la le les l piel del el los las zona estructura'.split(
    ' ',
  ),
);

/** Whole names, without accents and without the words above: what is not here is not guessed. */
const NAMES = {
  head: 'head, kopf, tete, cabeza',
  scalp: 'scalp, kopfhaut, cuir chevelu, cuero cabelludo',
  occiput: 'occiput, occipital, back head, hinterkopf, hinterhaupt, occiput, occipucio',
  forehead: 'forehead, stirn, frente',
  face: 'face, gesicht, visage, cara, rostro',
  neck: 'neck, hals, cou, cuello',
  chest: 'chest, thorax, brustkorb, poitrine, torax',
  breast: 'breast, mamma, sein, mama',
  abdomen: 'abdomen, belly, bauch, ventre, vientre, abdominal wall, bauchwand',
  groin: 'groin, inguinal, leiste, aine, ingle',
  shoulder: 'shoulder, schulter, epaule, hombro',
  axilla: 'axilla, armpit, achsel, achselhohle, aisselle, axila',
  upperArm: 'upper arm, oberarm, bras, brazo',
  elbow: 'elbow, ellenbogen, ellbogen, coude, codo',
  forearm: 'forearm, unterarm, avant bras, antebrazo',
  hand: 'hand, main, mano',
  back: 'back, rucken, dos, espalda',
  lowerBack: 'lower back, lumbar, unterer rucken, lendenbereich, bas dos, lombes, lumbares, zona lumbar',
  scapula: 'scapula, shoulder blade, schulterblatt, omoplate, escapula, omoplato',
  sacrum: 'sacrum, sacral, kreuzbein, sakral, sakralbereich, sakrum, sacro, sacre',
  coccyx: 'coccyx, tailbone, steissbein, coccys, coxis, coccix',
  buttock: 'buttock, gluteal, gesass, gesassbacke, fesse, gluteo, nalga',
  ischium: 'ischium, ischial, ischial tuberosity, sitzbein, sitzbeinhocker, ischion, isquion, tuberosidad isquiatica',
  hip: 'hip, hufte, hanche, cadera',
  trochanter: 'trochanter, greater trochanter, trochanter major, grand trochanter, trocanter, trocanter mayor',
  thigh: 'thigh, upper leg, oberschenkel, cuisse, muslo',
  frontOfThigh: 'anterior thigh, front thigh, oberschenkelvorderseite, cara anterior muslo',
  backOfThigh: 'posterior thigh, back thigh, oberschenkelruckseite, cara posterior muslo',
  knee: 'knee, knie, genou, rodilla',
  backOfKnee: 'popliteal fossa, back knee, kniekehle, creux poplite, hueco popliteo',
  lowerLeg: 'lower leg, unterschenkel, jambe',
  shin: 'shin, pretibial, anterior lower leg, schienbein, tibia, espinilla',
  calf: 'calf, posterior lower leg, wade, mollet, pantorrilla',
  ankle: 'ankle, knochel, sprunggelenk, cheville, tobillo',
  innerAnkle:
    'medial malleolus, inner ankle, medial ankle, innenknochel, malleole interne, malleole mediale, maleolo interno, maleolo medial',
  outerAnkle:
    'lateral malleolus, outer ankle, lateral ankle, aussenknochel, malleole externe, malleole laterale, maleolo externo, maleolo lateral',
  heel: 'heel, calcaneus, ferse, talon, talon pie',
  foot: 'foot, fuss, pied, pie',
  sole: 'sole, sole foot, plantar foot, foot sole, fusssohle, plante pied, plante, planta pie, planta',
  forefootSole:
    'ball foot, plantar forefoot, forefoot sole, vorfussballen, fussballen, avant pied plantaire, antepie plantar',
  innerBorderOfSole: 'medial border sole foot',
  outerBorderOfSole: 'lateral border sole foot',
  topOfFoot: 'dorsum foot, dorsal foot, top foot, fussrucken, dos pied, dorso pie, empeine',
  greatToe: 'great toe, big toe, hallux, grosszehe, grosse zehe, gros orteil, dedo gordo pie, primer dedo pie',
  secondToe: 'second toe, 2nd toe, zweite zehe, 2 zehe, deuxieme orteil, segundo dedo pie',
  thirdToe: 'third toe, 3rd toe, dritte zehe, 3 zehe, troisieme orteil, tercer dedo pie',
  fourthToe: 'fourth toe, 4th toe, vierte zehe, 4 zehe, quatrieme orteil, cuarto dedo pie',
  littleToe:
    'little toe, fifth toe, 5th toe, kleinzehe, kleine zehe, 5 zehe, cinquieme orteil, petit orteil, quinto dedo pie',
} as const satisfies Readonly<Record<string, string>>;

export type BodySiteName = keyof typeof NAMES;

const BY_NAME = new Map<string, BodySiteName>(
  (Object.entries(NAMES) as [BodySiteName, string][]).flatMap(([site, names]) =>
    names.split(', ').map((name) => [withoutEmptyWords(name.split(' ')), site] as const),
  ),
);

/** The site and side that words name, in any language of reports. */
export function sideAndSiteOf(display: string): SiteInWords {
  const words = display
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const sides = new Set(words.flatMap((word) => SIDE_WORDS.get(word) ?? []));
  const [side = null] = sides;
  const name = withoutEmptyWords(words.filter((word) => !SIDE_WORDS.has(word)));
  return {
    site: BY_NAME.get(name) ?? null,
    side: sides.size === 1 ? side : null,
    isContradictory: sides.size > 1,
  };
}

function withoutEmptyWords(words: readonly string[]): string {
  return words.filter((word) => !EMPTY_WORDS.has(word)).join(' ');
}
