import type { CodedConcept } from '../analysis/analysis-job.js';
import { sideAndSiteOf, type BodySiteName } from './site-words.js';

const SNOMED = 'http://snomed.info/sct';

/** SNOMED CT, as DICOM CID 4029 and 4031 and HL7 value sets name them, of the structure or of its skin. */
const CODES: Readonly<Partial<Record<BodySiteName, readonly string[]>>> = {
  head: ['69536005', '70762009'],
  scalp: ['43067004'],
  occiput: ['79951008'],
  forehead: ['68698007'],
  face: ['73897004'],
  neck: ['45048000', '43081002'],
  chest: ['51185008', '816094009', '244106003'],
  breast: ['76752008', '82038008'],
  abdomen: ['818981001', '113345001', '75093004'],
  groin: ['39687006'],
  shoulder: ['16982005'],
  axilla: ['76261009'],
  upperArm: ['40983000'],
  elbow: ['16953009', '181536004', '74757004'],
  forearm: ['14975008', '5742000'],
  hand: ['85562004', '33712006'],
  back: ['77568009', '66643007'],
  lowerBack: ['113182001'],
  scapula: ['79601000'],
  sacrum: ['54735007', '51027004'],
  coccyx: ['64688005', '22115004'],
  buttock: ['46862004', '22180002'],
  ischium: ['85710004', '699903000'],
  hip: ['29836001', '24136001', '49812005'],
  trochanter: ['450693000'],
  thigh: ['68367000', '371305003'],
  frontOfThigh: ['61248009'],
  backOfThigh: ['4578000'],
  knee: ['72696002', '181553006', '63464009'],
  backOfKnee: ['84507004'],
  lowerLeg: ['30021000', '75144006'],
  shin: ['78234002', '25763004'],
  calf: ['47224004', '51059006'],
  ankle: ['70258002', '67269001'],
  innerAnkle: ['181563003'],
  outerAnkle: ['181564009'],
  heel: ['84607009', '80144004'],
  foot: ['56459004', '60496002'],
  innerBorderOfSole: ['52953006'],
  outerBorderOfSole: ['35739000'],
  greatToe: ['78883009'],
  secondToe: ['55078004'],
  thirdToe: ['78132007'],
  fourthToe: ['80349001'],
};

/** What a site is part of, or is called by some who chart it: a wound at the one may be said to be at the other. */
const PART_OF: Readonly<Partial<Record<BodySiteName, readonly BodySiteName[]>>> = {
  scalp: ['head'],
  occiput: ['scalp'],
  forehead: ['face'],
  face: ['head'],
  breast: ['chest'],
  scapula: ['back', 'shoulder'],
  lowerBack: ['back'],
  sacrum: ['lowerBack', 'buttock'],
  coccyx: ['sacrum', 'buttock'],
  ischium: ['buttock'],
  trochanter: ['hip'],
  buttock: ['hip'],
  groin: ['thigh', 'abdomen'],
  frontOfThigh: ['thigh'],
  backOfThigh: ['thigh'],
  backOfKnee: ['knee'],
  shin: ['lowerLeg'],
  calf: ['lowerLeg'],
  ankle: ['lowerLeg', 'foot'],
  innerAnkle: ['ankle'],
  outerAnkle: ['ankle'],
  heel: ['foot', 'sole'],
  sole: ['foot'],
  forefootSole: ['sole'],
  innerBorderOfSole: ['sole'],
  outerBorderOfSole: ['sole'],
  topOfFoot: ['foot'],
  greatToe: ['foot'],
  secondToe: ['foot'],
  thirdToe: ['foot'],
  fourthToe: ['foot'],
  littleToe: ['foot'],
  elbow: ['upperArm', 'forearm'],
  axilla: ['upperArm', 'chest', 'shoulder'],
};

const BY_CODE = new Map<string, BodySiteName>(
  (Object.entries(CODES) as [BodySiteName, readonly string[]][]).flatMap(([name, codes]) =>
    codes.map((code) => [code, name] as const),
  ),
);

/** The site that a code names; null: none of those above. A code without a system is one of SNOMED CT. */
export function siteOfCode({ system, code }: CodedConcept): BodySiteName | null {
  return code === undefined || (system !== undefined && system !== SNOMED) ? null : (BY_CODE.get(code) ?? null);
}

/** The site that a code or, without a known one, words name; null: none that is understood. */
export function siteNamedBy(concept: CodedConcept): BodySiteName | null {
  return siteOfCode(concept) ?? sideAndSiteOf(concept.display ?? '').site;
}

/** True where one wound cannot be at both: neither is the other, nor a part of it. */
export function areSitesApart(one: BodySiteName, other: BodySiteName): boolean {
  return !placesOf(one).has(other) && !placesOf(other).has(one);
}

/** The site and all that it is part of. */
function placesOf(site: BodySiteName): Set<BodySiteName> {
  const found = new Set<BodySiteName>([site]);
  for (const place of found) for (const whole of PART_OF[place] ?? []) found.add(whole);
  return found;
}
