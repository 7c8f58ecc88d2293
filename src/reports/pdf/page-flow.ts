import type { ReportDocument } from '../documents/document-blocks.js';
import { A4_MM, BOLD, mm, openDocument, REGULAR, toBytes, type Document, type FontName } from './pdf-page.js';
import { toPrintable } from './printable-text.js';
import { breakLines } from './text-lines.js';

export const INK = '#1a1a1a';
export const MUTED = '#4a4a4a';
export const RULE = '#b8b8b8';

const MARGIN_MM = 18;
const TOP_MM = 27;
const BOTTOM_MM = 277;
/** Noto Sans needs so much of its size from line to line. */
const LINE = 1.36;

type Structure = ReturnType<Document['struct']>;

export interface TextStyle {
  readonly font: FontName;
  readonly size: number;
  readonly colour: string;
}

export const BODY: TextStyle = { font: REGULAR, size: 9.5, colour: INK };
export const STRONG: TextStyle = { font: BOLD, size: 9.5, colour: INK };

/** Pages that follow each other, a place to write at, and the structure that says what everything is. Points from the upper left corner. */
export class PageFlow {
  readonly pdf: Document;
  readonly left = mm(MARGIN_MM);
  readonly width = mm(A4_MM.width - 2 * MARGIN_MM);
  readonly bottom = mm(BOTTOM_MM);
  readonly top = mm(TOP_MM);
  y = mm(TOP_MM);
  /** Signs were replaced that the fonts lack. */
  replaced = false;
  private readonly root: Structure;

  constructor({ title, identity, issuedAt, language }: ReportDocument) {
    this.pdf = openDocument({ title, subject: identity, createdAt: issuedAt, language, tagged: true });
    this.root = this.pdf.struct('Document');
    this.pdf.addStructure(this.root);
    this.pdf.addPage();
  }

  /** The height of an empty page. */
  get pageHeight(): number {
    return this.bottom - this.top;
  }

  /** Goes on to a new page where so much no longer fits on this one; true if it did. */
  ensure(height: number): boolean {
    if (this.y + height <= this.bottom || this.y === this.top) return false;
    this.newPage();
    return true;
  }

  newPage(): void {
    this.pdf.addPage();
    this.y = this.top;
  }

  /** An element of the structure, within `parent` or the document. */
  element(
    type: string,
    parent: Structure = this.root,
    options: { readonly alt?: string; readonly scope?: string } = {},
  ): Structure {
    const element = this.pdf.struct(type, options as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    return element;
  }

  /** Draws the content of an element on this page. */
  tagged(element: Structure, type: string, draw: () => void): void {
    const content = this.pdf.markStructureContent(type);
    draw();
    this.pdf.endMarkedContent();
    element.add(content);
  }

  /** Draws ornament, which screen readers skip. */
  artifact(draw: () => void): void {
    this.pdf.markContent('Artifact');
    draw();
    this.pdf.endMarkedContent();
  }

  /** Lines of a text in a style; what the fonts lack is replaced. */
  lines(text: string, style: TextStyle, width: number): string[] {
    const printable = toPrintable(text);
    this.replaced ||= printable.replaced;
    this.use(style);
    return breakLines(this.pdf, printable.text, width);
  }

  lineHeight({ size }: TextStyle): number {
    return size * LINE;
  }

  /** Lines below each other; their first line's upper edge is at `y`. */
  write(lines: readonly string[], style: TextStyle, x: number, y: number): void {
    this.use(style);
    // An empty line would move pdfkit's own place to write at.
    lines.forEach(
      (line, index) => line !== '' && this.pdf.text(line, x, y + index * this.lineHeight(style), { lineBreak: false }),
    );
  }

  use({ font, size, colour }: TextStyle): void {
    this.pdf.font(font).fontSize(size).fillColor(colour);
  }

  rule(y: number, colour = RULE, width = 0.5): void {
    this.artifact(() =>
      this.pdf
        .lineWidth(width)
        .strokeColor(colour)
        .moveTo(this.left, y)
        .lineTo(this.left + this.width, y)
        .stroke(),
    );
  }

  /** Ends the structure and gives the file's bytes. */
  finish(): Promise<Uint8Array> {
    this.root.end();
    return toBytes(this.pdf);
  }
}
