import type { ReportPicture, ReportPictures } from '../../core/report/clinical-report.js';
import { notice, type Block, type CaptionedPicture, type Pen, type Section } from './document-blocks.js';

type Caption = 'current' | 'previous' | 'first' | 'last';

/** A photo of a document, if it is there. */
export interface PlacedPhoto {
  readonly caption: Caption;
  readonly picture: ReportPicture | null;
  readonly outlined: boolean;
}

/** The whole photo, for the first page, or that it is not there. */
export function overviewBlocks(pen: Pen, { overview }: ReportPictures, outlined: boolean): Block[] {
  const pictures = captioned(pen, { caption: 'current', picture: overview, outlined });
  return pictures.length === 0 ? [notice(pen.say('photo.missing'))] : [{ kind: 'pictures', pictures }];
}

/** The wound then and now; null where there is only this photo. */
export function comparedSection(pen: Pen, { compared }: ReportPictures): Section | null {
  const photos = compared.map(({ place, picture }) => ({ caption: place, picture, outlined: true }));
  return photos.length === 0 ? null : photoSection(pen, photos, null);
}

/** Photos beside each other, the older on the left; `missing` says so where one that belongs is not there. */
export function photoSection(pen: Pen, photos: readonly PlacedPhoto[], missing: string | null): Section {
  const pictures = photos.flatMap((photo) => captioned(pen, photo));
  return {
    heading: pen.say('section.photos'),
    blocks: [
      ...(missing === null ? [] : [notice(missing)]),
      ...(pictures.length === 0 ? [] : [{ kind: 'pictures' as const, pictures }]),
    ],
  };
}

function captioned({ say, figures }: Pen, { caption, picture, outlined }: PlacedPhoto): CaptionedPicture[] {
  if (picture === null) return [];
  const date = figures.moment(picture.capturedAt);
  return [
    { picture, caption: say(`photo.${caption}`), date, alt: say(outlined ? 'photo.alt' : 'photo.plainAlt', { date }) },
  ];
}
