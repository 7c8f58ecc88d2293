import { PAPER_TABLE } from '../documents/paper.js';
import type { ReportDocument } from '../documents/document-blocks.js';
import type { Language } from '../wording/language.js';
import { speak } from '../wording/wording.js';
import { BOLD, mm, openDocument, REGULAR, toBytes, type Document, type FontName } from './pdf-page.js';
import { toPrintable } from './printable-text.js';
import { breakLines } from './text-lines.js';

export const INK = '#1a1a1a';
export const MUTED = '#4a4a4a';
export const RULE = '#b8b8b8';

const MARGIN_MM = 18;
const TOP_MM = 25;
const FOOT_MM = 16;
/** Letters that are set smaller are no smaller than this, in points; those that are this small stay as they are. */
const SMALLEST_SET_SMALLER = 8.5;
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

/** What drawing would take: how many pages are begun, and where the last one ends. */
export interface Extent {
  readonly pagesBegun: number;
  readonly y: number;
}

interface BrokenText {
  readonly lines: string[];
  readonly replaced: boolean;
}

/** Pages that follow each other, a place to write at, and the structure that says what everything is. Points from the upper left corner. */
export class PageFlow {
  readonly pdf: Document;
  readonly pageLeft = mm(MARGIN_MM);
  readonly pageWidth: number;
  readonly top = mm(TOP_MM);
  /** Of the column that is written in. */
  left: number;
  width: number;
  y = mm(TOP_MM);
  /** Of gaps and pictures; below 1 where that saves a page. */
  density = 1;
  /** Of letters; below 1 where that saves a page. */
  typeScale = 1;
  /** Stays free at the foot of each page, so that the last one is not nearly empty. */
  reserve = 0;
  /** Signs were replaced that the fonts lack. */
  replaced = false;
  private readonly foot: number;
  private readonly root: Structure;
  private parent: Structure;
  /** null: draws. */
  private begun: number | null = null;
  private readonly broken = new Map<string, BrokenText>();

  private readonly language: Language;

  constructor({ title, identity, issuedAt, language, paper }: ReportDocument) {
    this.language = language;
    const { width, height } = PAPER_TABLE[paper];
    this.left = this.pageLeft;
    this.pageWidth = mm(width - 2 * MARGIN_MM);
    this.width = this.pageWidth;
    this.foot = mm(height - FOOT_MM);
    this.pdf = openDocument({ title, subject: identity, createdAt: issuedAt, paper, language, tagged: true });
    this.root = this.pdf.struct('Document');
    this.parent = this.root;
    this.pdf.addStructure(this.root);
    this.pdf.addPage();
  }

  get bottom(): number {
    return this.foot - this.reserve;
  }

  /** The height of an empty page. */
  get pageHeight(): number {
    return this.bottom - this.top;
  }

  /** Nothing stands on this page yet. */
  get isAtTop(): boolean {
    return this.y === this.top;
  }

  /** A distance that shrinks where that saves a page. */
  loose(millimetres: number): number {
    return mm(millimetres) * this.density;
  }

  /** Goes on to a new page where so much no longer fits on this one; true if it did. */
  ensure(height: number): boolean {
    if (this.y + height <= this.bottom || this.isAtTop) return false;
    this.newPage();
    return true;
  }

  newPage(): void {
    if (this.begun === null) this.pdf.addPage();
    else this.begun += 1;
    this.y = this.top;
  }

  /** Goes through the same steps as drawing and leaves no trace. */
  measure(draw: () => void): Extent {
    const { y, begun, left, width } = this;
    this.begun = 0;
    draw();
    const extent = { pagesBegun: this.begun, y: this.y };
    [this.y, this.begun, this.left, this.width] = [y, begun, left, width];
    return extent;
  }

  /** The height of what stands in one piece. */
  heightOf(draw: () => void): number {
    const { y, pagesBegun } = this.measure(() => {
      this.y = this.top;
      draw();
    });
    return y - this.top + pagesBegun * this.pageHeight;
  }

  /** Draws in a part of the width. */
  within(left: number, width: number, draw: () => void): void {
    const outer = [this.left, this.width] as const;
    [this.left, this.width] = [left, width];
    draw();
    [this.left, this.width] = outer;
  }

  /** Elements that `draw` makes belong to one of this type. */
  group(type: string, draw: () => void): void {
    const outer = this.parent;
    this.parent = this.element(type);
    draw();
    this.parent = outer;
  }

  /** An element of the structure, within `parent` or what is being drawn. */
  element(
    type: string,
    parent: Structure = this.parent,
    options: { readonly alt?: string; readonly scope?: string } = {},
  ): Structure {
    if (this.begun !== null) return this.root;
    const element = this.pdf.struct(type, options as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    return element;
  }

  /** Draws the content of an element on this page. */
  tagged(element: Structure, type: string, draw: () => void): void {
    if (this.begun !== null) return;
    const content = this.pdf.markStructureContent(type);
    draw();
    this.pdf.endMarkedContent();
    element.add(content);
  }

  /** Draws ornament, which screen readers skip. */
  artifact(draw: () => void): void {
    if (this.begun !== null) return;
    this.pdf.markContent('Artifact');
    draw();
    this.pdf.endMarkedContent();
  }

  /** Lines of a text in a style; what the fonts lack is replaced. */
  lines(text: string, style: TextStyle, width: number): string[] {
    const size = this.sizeOf(style);
    const key = `${style.font} ${size} ${width} ${text}`;
    const known = this.broken.get(key) ?? this.break(text, { ...style, size }, width);
    this.broken.set(key, known);
    this.replaced ||= known.replaced;
    return known.lines;
  }

  /** What a fact says: where the fonts lack all its signs or some of them, it says so in its place. */
  printed(text: string): string {
    const { text: shown, replaced } = toPrintable(text);
    if (!replaced) return text;
    this.replaced = true;
    const say = speak(this.language);
    return /[\p{L}\p{N}]/u.test(shown) ? `${shown} [${say('glyphs.some')}]` : `[${say('glyphs.all')}]`;
  }

  lineHeight(style: TextStyle): number {
    return this.sizeOf(style) * LINE;
  }

  /** Lines below each other; their first line's upper edge is at `y`. */
  write(lines: readonly string[], style: TextStyle, x: number, y: number): void {
    this.use(style);
    // An empty line would move pdfkit's own place to write at.
    lines.forEach(
      (line, index) => line !== '' && this.pdf.text(line, x, y + index * this.lineHeight(style), { lineBreak: false }),
    );
  }

  use(style: TextStyle): void {
    this.pdf.font(style.font).fontSize(this.sizeOf(style)).fillColor(style.colour);
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

  private sizeOf({ size }: TextStyle): number {
    return Math.max(Math.min(size, SMALLEST_SET_SMALLER), size * this.typeScale);
  }

  private break(text: string, style: TextStyle, width: number): BrokenText {
    const printable = toPrintable(text);
    this.pdf.font(style.font).fontSize(style.size);
    return { lines: breakLines(this.pdf, printable.text, width), replaced: printable.replaced };
  }
}
