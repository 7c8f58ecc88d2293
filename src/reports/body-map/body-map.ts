import type { ReportSubject } from '../../core/report/clinical-report.js';
import { bodySiteOf } from './body-sites.js';
import { DRAWINGS, type BodyView, type DrawnPoint, type BodyOutline } from './outlines.js';

/** Where a wound is, drawn into outlines of the body. */
export interface BodyMap {
  readonly views: readonly BodyMapView[];
  /** The letters of the patient's sides. */
  readonly sides: { readonly right: string; readonly left: string };
  /** For readers who do not see it. */
  readonly alt: string;
}

export interface BodyMapView {
  readonly drawing: BodyOutline;
  readonly caption: string;
  readonly markers: readonly DrawnPoint[];
}

/** Words of a map, in the language of its document. */
export interface BodyMapWords {
  readonly captions: Readonly<Record<BodyView, string>>;
  readonly sides: BodyMap['sides'];
  readonly alt: string;
}

/** null where the site or its side is not surely known: a map never guesses. */
export function bodyMapOf({ bodySite, laterality }: ReportSubject, words: BodyMapWords): BodyMap | null {
  const markers = bodySiteOf(bodySite, laterality);
  if (markers === null) return null;
  const isOnFeet = markers.some(({ view }) => view === 'soles' || view === 'tops');
  const views: readonly BodyView[] = isOnFeet
    ? (['front', 'back', 'soles', 'tops'] as const).filter((view) => markers.some((marker) => marker.view === view))
    : ['front', 'back'];
  return {
    views: views.map((view) => ({
      drawing: DRAWINGS[view],
      caption: words.captions[view],
      markers: markers.filter((marker) => marker.view === view),
    })),
    sides: words.sides,
    alt: words.alt,
  };
}
