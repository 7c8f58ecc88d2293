import type { CodedConcept, Laterality } from '../../core/analysis/analysis-job.js';
import { DRAWINGS, type BodyView, type DrawnPoint } from './outlines.js';
import { siteOfCode } from '../../core/followup/site-codes.js';
import { sideAndSiteOf, type BodySiteName } from '../../core/followup/site-words.js';

/** A place in a view, as its distance from the middle line of the body. */
interface SitePlace {
  readonly view: BodyView;
  readonly away: number;
  readonly y: number;
}

export interface SiteMarker extends DrawnPoint {
  readonly view: BodyView;
}

const at = (view: BodyView, away: number, y: number): SitePlace => ({ view, away, y });

/** Distances of 0 lie on the middle line: their side does not matter. A site that names neither the front nor the back is marked on both. */
const SITES: Readonly<Record<BodySiteName, readonly SitePlace[]>> = {
  head: [at('front', 0, 12), at('back', 0, 12)],
  scalp: [at('back', 0, 9)],
  occiput: [at('back', 0, 17)],
  forehead: [at('front', 0, 8.5)],
  face: [at('front', 0, 15)],
  neck: [at('front', 0, 29), at('back', 0, 29)],
  chest: [at('front', 0, 50)],
  breast: [at('front', 9, 58)],
  abdomen: [at('front', 0, 80)],
  groin: [at('front', 9, 113)],
  shoulder: [at('front', 20, 41), at('back', 20, 41)],
  axilla: [at('front', 17.5, 51)],
  upperArm: [at('front', 22.6, 58), at('back', 22.6, 58)],
  elbow: [at('back', 26, 77)],
  forearm: [at('front', 29, 92), at('back', 29, 92)],
  hand: [at('front', 34, 114), at('back', 34, 114)],
  back: [at('back', 0, 70)],
  lowerBack: [at('back', 0, 90)],
  scapula: [at('back', 9, 53)],
  sacrum: [at('back', 0, 102)],
  coccyx: [at('back', 0, 108)],
  buttock: [at('back', 9, 112)],
  ischium: [at('back', 8, 119)],
  hip: [at('front', 17, 107), at('back', 17, 107)],
  trochanter: [at('back', 18, 108)],
  thigh: [at('front', 11, 138), at('back', 11, 138)],
  frontOfThigh: [at('front', 11, 138)],
  backOfThigh: [at('back', 11, 142)],
  knee: [at('front', 9, 166)],
  backOfKnee: [at('back', 9, 168)],
  lowerLeg: [at('front', 9, 190), at('back', 9, 190)],
  shin: [at('front', 8.6, 188)],
  calf: [at('back', 9.4, 185)],
  ankle: [at('front', 7.6, 220), at('back', 7.6, 220)],
  innerAnkle: [at('front', 4.8, 220), at('back', 4.8, 220)],
  outerAnkle: [at('front', 10.6, 220), at('back', 10.6, 220)],
  heel: [at('back', 8.6, 231), at('soles', 21, 95)],
  foot: [at('tops', 24, 62), at('soles', 25, 66)],
  sole: [at('soles', 25, 66)],
  forefootSole: [at('soles', 24, 40)],
  innerBorderOfSole: [at('soles', 13, 70)],
  outerBorderOfSole: [at('soles', 33.6, 66)],
  topOfFoot: [at('tops', 24, 62)],
  greatToe: [at('tops', 14.8, 20.5)],
  secondToe: [at('tops', 22.4, 19.6)],
  thirdToe: [at('tops', 27.8, 21.8)],
  fourthToe: [at('tops', 32.4, 25.2)],
  littleToe: [at('tops', 36.6, 30)],
};

/**
 * Where a site lies, in every view that shows it. null where the site is not one of those above, where code and words name different
 * ones, and where a site that there are two of has no side, or two sides.
 */
export function bodySiteOf(bodySite: CodedConcept | null, laterality: Laterality | null): SiteMarker[] | null {
  const said = sideAndSiteOf(bodySite?.display ?? '');
  const name = (bodySite === null ? null : siteOfCode(bodySite)) ?? said.site;
  if (name === null || said.isContradictory) return null;
  if (said.site !== null && said.site !== name) return null;
  const places = SITES[name];
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
