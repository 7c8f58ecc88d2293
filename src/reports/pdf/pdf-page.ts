import PDFDocument from 'pdfkit';
import { DEFAULT_PAPER, type Paper } from '../documents/paper.js';
import { registerFonts } from './shared-fonts.js';

export { BOLD, REGULAR, type FontName } from './shared-fonts.js';

export type Document = InstanceType<typeof PDFDocument>;

const POINTS_PER_MM = 72 / 25.4;

export interface DocumentFacts {
  readonly title: string;
  readonly subject: string;
  /** Stands in the file; the same facts and pages make the same bytes. */
  readonly createdAt: Date;
  /** A4 where it is not said. */
  readonly paper?: Paper;
  /** BCP 47; English where it is not said. */
  readonly language?: string;
  /** With a structure that screen readers follow (ISO 32000-1, 14.8), and pages that stay open until the end. */
  readonly tagged?: boolean;
}

/** Millimetres as the points that PDF counts in. */
export function mm(millimetres: number): number {
  return millimetres * POINTS_PER_MM;
}

/** An empty document whose pages are added one by one, with the fonts at hand. */
export function openDocument({
  title,
  subject,
  createdAt,
  paper = DEFAULT_PAPER,
  language = 'en',
  tagged = false,
}: DocumentFacts): Document {
  const document = new PDFDocument({
    autoFirstPage: false,
    size: paper.toUpperCase(),
    margin: 0,
    lang: language,
    tagged,
    bufferPages: tagged,
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: title,
      Subject: subject,
      Author: 'Sutura',
      Creator: 'Sutura',
      Producer: 'Sutura',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  });
  registerFonts(document);
  return document;
}

/** Asks viewers to print at 100 % unless a person says otherwise (ISO 32000-1, 12.2, PrintScaling). */
export function printAtFullSize(document: Document): void {
  const { data } = (document as Document & { readonly _root: { readonly data: Record<string, unknown> } })._root;
  data['ViewerPreferences'] = document.ref({ DisplayDocTitle: true, PrintScaling: 'None' });
  (data['ViewerPreferences'] as { end(): void }).end();
}

/** Ends the document and gives its bytes. */
export function toBytes(document: Document): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    document.on('error', reject);
    document.end();
  });
}
