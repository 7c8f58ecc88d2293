import type { CodedConcept, Laterality } from '../../core/analysis/analysis-job.js';
import { DRAWINGS, type BodyView, type DrawnPoint } from './outlines.js';
import { sideAndSiteOf, type BodySiteName } from './site-words.js';

const SNOMED = 'http://snomed.info/sct';

/** A place in a view, as its distance from the middle line of the body. */
interface SitePlace {
  readonly view: BodyView;
  readonly away: number;
  readonly y: number;
}

interface BodySite {
  readonly places: readonly SitePlace[];
  /** SNOMED CT, as DICOM CID 4029 and 4031 and HL7 value sets name them. */
  readonly codes: readonly string[];
}

export interface SiteMarker extends DrawnPoint {
  readonly view: BodyView;
}

const at = (view: BodyView, away: number, y: number): SitePlace => ({ view, away, y });
const site = (places: readonly SitePlace[], ...codes: string[]): BodySite => ({ places, codes });

/** Distances of 0 lie on the middle line: their side does not matter. A site that names neither the front nor the back is marked on both. */
const SITES: Readonly<Record<BodySiteName, BodySite>> = {
  head: site([at('front', 0, 12), at('back', 0, 12)], '69536005', '70762009'),
  scalp: site([at('back', 0, 9)], '43067004'),
  occiput: site([at('back', 0, 17)], '79951008'),
  forehead: site([at('front', 0, 8.5)], '68698007'),
  face: site([at('front', 0, 15)], '73897004'),
  neck: site([at('front', 0, 29), at('back', 0, 29)], '45048000', '43081002'),
  chest: site([at('front', 0, 50)], '51185008', '816094009', '244106003'),
  breast: site([at('front', 9, 58)], '76752008', '82038008'),
  abdomen: site([at('front', 0, 80)], '818981001', '113345001', '75093004'),
  groin: site([at('front', 9, 113)], '39687006'),
  shoulder: site([at('front', 20, 41), at('back', 20, 41)], '16982005'),
  axilla: site([at('front', 17.5, 51)], '76261009'),
  upperArm: site([at('front', 22.6, 58), at('back', 22.6, 58)], '40983000'),
  elbow: site([at('back', 26, 77)], '16953009', '181536004'),
  forearm: site([at('front', 29, 92), at('back', 29, 92)], '14975008'),
  hand: site([at('front', 34, 114), at('back', 34, 114)], '85562004', '33712006'),
  back: site([at('back', 0, 70)], '77568009', '66643007'),
  lowerBack: site([at('back', 0, 90)], '113182001'),
  scapula: site([at('back', 9, 53)], '79601000'),
  sacrum: site([at('back', 0, 102)], '54735007'),
  coccyx: site([at('back', 0, 108)], '64688005'),
  buttock: site([at('back', 9, 112)], '46862004', '22180002'),
  ischium: site([at('back', 8, 119)], '85710004'),
  hip: site([at('front', 17, 107), at('back', 17, 107)], '29836001', '24136001'),
  trochanter: site([at('back', 18, 108)]),
  thigh: site([at('front', 11, 138), at('back', 11, 138)], '68367000'),
  frontOfThigh: site([at('front', 11, 138)], '61248009'),
  backOfThigh: site([at('back', 11, 142)], '4578000'),
  knee: site([at('front', 9, 166)], '72696002', '181553006'),
  backOfKnee: site([at('back', 9, 168)], '84507004'),
  lowerLeg: site([at('front', 9, 190), at('back', 9, 190)], '30021000'),
  shin: site([at('front', 8.6, 188)], '78234002', '25763004'),
  calf: site([at('back', 9.4, 185)], '47224004'),
  ankle: site([at('front', 7.6, 220), at('back', 7.6, 220)], '70258002'),
  innerAnkle: site([at('front', 4.8, 220), at('back', 4.8, 220)], '181563003'),
  outerAnkle: site([at('front', 10.6, 220), at('back', 10.6, 220)], '181564009'),
  heel: site([at('back', 8.6, 231), at('soles', 21, 95)], '84607009', '80144004'),
  foot: site([at('tops', 24, 62), at('soles', 25, 66)], '56459004', '60496002'),
  sole: site([at('soles', 25, 66)]),
  forefootSole: site([at('soles', 24, 40)]),
  innerBorderOfSole: site([at('soles', 13, 70)], '52953006'),
  outerBorderOfSole: site([at('soles', 33.6, 66)], '35739000'),
  topOfFoot: site([at('tops', 24, 62)]),
  greatToe: site([at('tops', 14.8, 20.5)], '78883009'),
  secondToe: site([at('tops', 22.4, 19.6)], '55078004'),
  thirdToe: site([at('tops', 27.8, 21.8)], '78132007'),
  fourthToe: site([at('tops', 32.4, 25.2)], '80349001'),
  littleToe: site([at('tops', 36.6, 30)]),
};

const BY_CODE = new Map<string, BodySiteName>(
  (Object.entries(SITES) as [BodySiteName, BodySite][]).flatMap(([name, { codes }]) =>
    codes.map((code) => [code, name] as const),
  ),
);

/** The site that a code names; null: none of those above. A code without a system is one of SNOMED CT. */
export function siteOfCode({ system, code }: CodedConcept): BodySiteName | null {
  return code === undefined || (system !== undefined && system !== SNOMED) ? null : (BY_CODE.get(code) ?? null);
}

/**
 * Where a site lies, in every view that shows it. null where the site is not one of those above, where code and words name different
 * ones, and where a site that there are two of has no side, or two sides.
 */
export function bodySiteOf(bodySite: CodedConcept | null, laterality: Laterality | null): SiteMarker[] | null {
  const said = sideAndSiteOf(bodySite?.display ?? '');
  const name = (bodySite === null ? null : siteOfCode(bodySite)) ?? said.site;
  if (name === null || said.isContradictory) return null;
  if (said.site !== null && said.site !== name) return null;
  const { places } = SITES[name];
  const side = laterality ?? said.side;
  if (laterality !== null && said.side !== null && laterality !== said.side) return null;
  if (places.some(({ away }) => away !== 0) && side !== 'left' && side !== 'right') return null;
  return places.map((place) => ({ view: place.view, x: xOf(place, side), y: place.y }));
}

/** One looks at the front and the soles of a person, and at the back and the tops of the feet as that person does. */
function xOf({ view, away }: SitePlace, side: Laterality | null): number {
  const { width } = DRAWINGS[view];
  const isFoot = view === 'soles' || view === 'tops';
  const distance = isFoot ? away - 6 : away;
  const isRightOnViewersLeft = view === 'front' || view === 'soles';
  const goesLeft = (side === 'right') === isRightOnViewersLeft;
  return width / 2 + (goesLeft ? -distance : distance);
}
