import type { AssessmentFindings } from '../../core/followup/assessment.js';
import type { SeriesComparison } from '../../core/followup/series.js';
import type {
  ClinicalReport,
  ComparedPicture,
  ReportPicture,
  ReportPictures,
} from '../../core/report/clinical-report.js';
import { tissuesOf } from '../../core/tissue/tissues.js';
import { previousPlaceOf } from './change-section.js';
import { notice, paragraph, type Block, type CaptionedPicture, type Pen, type Section } from './document-blocks.js';

type Caption = 'current' | 'previous' | 'first' | 'last';

/** From here on an oblique view has another scale at every place that matters. */
const OBLIQUE_DEGREES = 10;

/** A photo of a document, if it is there. */
interface PlacedPhoto {
  readonly caption: Caption;
  readonly picture: ReportPicture | null;
  readonly outlined: boolean;
}

/** The whole photo, for the first page, or that it is not there. */
export function overviewBlocks(pen: Pen, { overview }: ReportPictures, findings: AssessmentFindings): Block[] {
  const outlined = findings.outlines.length > 0;
  const pictures = captioned(pen, { caption: 'current', picture: overview, outlined });
  if (pictures.length === 0) return [notice(pen.say('photo.missing'))];
  const notes = overviewNotes(pen, findings, pictures[0]!.picture);
  return [{ kind: 'pictures', pictures: pictures.map((one) => ({ ...one, notes })), arrangement: 'free' }];
}

/** What the lines are, and where the scale bar holds. */
function overviewNotes({ say }: Pen, findings: AssessmentFindings, { scaleBarMm }: ReportPicture): string[] {
  const { outlines, otherOutlines, figures, scale } = findings;
  if (outlines.length === 0) return [];
  const tilt = scale.source === 'marker' ? (scale.marker?.tiltDegrees ?? 0) : 0;
  return [
    ...(otherOutlines > 0 ? [say('photo.lines')] : []),
    ...(figures?.length.line === undefined ? [] : [say('photo.distances')]),
    ...(scaleBarMm !== null && tilt >= OBLIQUE_DEGREES ? [say('photo.scaleAtWound')] : []),
  ];
}

/** The wound then and now; null where there is only this photo. */
export function comparedSection(pen: Pen, { compared }: ReportPictures, comparison: SeriesComparison): Section | null {
  if (compared.length === 0) return null;
  const { say } = pen;
  const scaled = compared.filter(({ picture }) => picture.widthCm !== null);
  return {
    heading: say('section.photos'),
    blocks: [
      { kind: 'pictures', pictures: compared.map((one) => comparedPicture(pen, one, comparison)), arrangement: 'row' },
      ...(scaled.length > 1 ? [paragraph(say('photo.sameScale'))] : []),
    ],
  };
}

function comparedPicture(
  { say, figures }: Pen,
  { place, picture, areaCm2, areaBounds }: ComparedPicture,
  comparison: SeriesComparison,
): CaptionedPicture {
  const name = place === 'previous' ? previousPlaceOf(comparison) : place;
  const date = figures.captured(picture);
  const area =
    areaCm2 === null
      ? say('photo.noArea')
      : say('photo.area', {
          area:
            areaBounds === undefined ? figures.areaCm2(areaCm2) : figures.areaWithin({ value: areaCm2, ...areaBounds }),
        });
  return {
    picture,
    caption: say(`photo.${name}`),
    date,
    notes: [area, ...(picture.widthCm === null ? [say('photo.noScale')] : [])],
    legend: [],
    alt: say('photo.comparedAlt', { date, area }),
  };
}

/** The wound from near, and where its tissues lie; empty where there is neither. */
export function closeUpBlocks(pen: Pen, pictures: ReportPictures, { tissue }: AssessmentFindings): Block[] {
  const { say, figures } = pen;
  const shown = tissue === null ? [] : tissuesOf(tissue).filter((name) => tissue[name] > 0);
  const legends = { closeUp: [], tissueMap: shown.map((name) => ({ tissue: name, label: say(`tissue.${name}`) })) };
  const captionedOnes = (['closeUp', 'tissueMap'] as const).flatMap((name): CaptionedPicture[] => {
    const picture = pictures[name];
    if (picture === null) return [];
    const date = figures.captured(picture);
    const alt = say(`photo.${name}Alt`, { date });
    const { scaleBarMm } = picture;
    const notes =
      name === 'tissueMap' || scaleBarMm === null
        ? []
        : [say('photo.scaleBar', { length: figures.lengthAsGiven(scaleBarMm / 10) })];
    return [{ picture, caption: say(`photo.${name}`), date: null, notes, legend: legends[name], alt }];
  });
  return captionedOnes.length === 0 ? [] : [{ kind: 'pictures', pictures: captionedOnes, arrangement: 'pair' }];
}

/** As many pictures as stand beside each other, each still large enough to see. */
const IN_A_ROW = 3;

/** The wound at several visits, oldest first, in squares of one scale where their photos have one. */
export function sideBySide(
  pen: Pen,
  shown: readonly { readonly picture: ReportPicture; readonly report: ClinicalReport; readonly caption?: Caption }[],
): Block[] {
  const { say, figures } = pen;
  const pictures = shown.map(({ picture, report, caption }): CaptionedPicture => {
    const date = figures.captured(picture);
    const measured = report.content.findings.figures?.area.cm2;
    const area = measured ? say('photo.area', { area: figures.areaWithin(measured) }) : say('photo.noArea');
    const notes = picture.widthCm === null ? [say('photo.noScale')] : [];
    const alt = say('photo.comparedAlt', { date, area });
    if (caption === undefined) return { picture, caption: date, date: null, notes: [area, ...notes], legend: [], alt };
    return { picture, caption: say(`photo.${caption}`), date, notes: [area, ...notes], legend: [], alt };
  });
  const rows = Array.from({ length: Math.ceil(pictures.length / IN_A_ROW) }, (_, row): Block => {
    const inRow = pictures.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW);
    return {
      kind: 'pictures',
      pictures: inRow,
      arrangement: 'row',
      ...(pictures.length > IN_A_ROW ? { columns: IN_A_ROW } : {}),
    };
  });
  const scaled = pictures.filter(({ picture }) => picture.widthCm !== null);
  return [...rows, ...(scaled.length > 1 ? [paragraph(say('photo.sameScale'))] : [])];
}

function captioned({ say, figures }: Pen, { caption, picture, outlined }: PlacedPhoto): CaptionedPicture[] {
  if (picture === null) return [];
  const date = figures.captured(picture);
  const alt = say(outlined ? 'photo.alt' : 'photo.plainAlt', { date });
  return [{ picture, caption: say(`photo.${caption}`), date, notes: [], legend: [], alt }];
}
