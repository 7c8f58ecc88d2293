import type { ReportPicture } from '../../core/report/clinical-report.js';
import type { Tissue } from '../../core/tissue/tissues.js';
import type { FigureFormat } from '../wording/figure-format.js';
import type { Language } from '../wording/language.js';
import type { Say } from '../wording/wording.js';
import type { BodyMap } from '../body-map/body-map.js';
import type { Paper } from './paper.js';
import type { TrendChart } from './trend-chart.js';

/** Words and figures of one language, for writing a section. */
export interface Pen {
  readonly say: Say;
  readonly figures: FigureFormat;
}

/** A label and what it says; both as they are printed. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface CaptionedPicture {
  readonly picture: ReportPicture;
  readonly caption: string;
  /** Date and time of the photo; null where the picture beside it says so. */
  readonly date: string | null;
  /** What a reader must know of it, a line each. */
  readonly notes: readonly string[];
  /** What its colours and patterns mean. */
  readonly legend: readonly TissueLabel[];
  /** For readers who do not see it. */
  readonly alt: string;
}

export interface TissueLabel {
  readonly tissue: Tissue;
  readonly label: string;
}

export interface TissueShare {
  readonly tissue: Tissue;
  readonly label: string;
  /** 0 to 1: the length of the bar. */
  readonly share: number;
  readonly shareText: string;
  readonly method: string;
}

/** A figure that is read from afar. */
export interface Tile {
  readonly label: string;
  readonly value: string;
  /** Its interval, or what else belongs to it in small letters. */
  readonly detail: string | null;
}

/** The first column names the row. */
export interface TableBlock {
  readonly kind: 'table';
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Relative widths on paper. */
  readonly widths: readonly number[];
}

/**
 * The parts of a document. Every figure, date and word is text already: HTML, PDF and plain text differ only in how they set it.
 * `compact` facts may stand beside each other.
 */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'headline'; readonly text: string }
  | { readonly kind: 'quotation'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'numbered'; readonly items: readonly string[] }
  | { readonly kind: 'tiles'; readonly tiles: readonly Tile[] }
  | { readonly kind: 'bodyMap'; readonly map: BodyMap }
  | ColumnsBlock
  | { readonly kind: 'facts'; readonly facts: readonly Fact[]; readonly compact: boolean }
  | TableBlock
  | PicturesBlock
  | {
      readonly kind: 'shares';
      readonly columns: readonly [string, string, string];
      readonly shares: readonly TissueShare[];
    }
  | { readonly kind: 'chart'; readonly chart: TrendChart };

/**
 * `row`: pictures of one size, which stay beside each other or below each other, so that they can be compared.
 * `pair`: beside each other in any width.
 */
export interface PicturesBlock {
  readonly kind: 'pictures';
  readonly pictures: readonly CaptionedPicture[];
  readonly arrangement: 'free' | 'row' | 'pair';
  /** How many would fill the row: rows with fewer have pictures of the same size. */
  readonly columns?: number;
}

/** Two columns where there is room for both; else the right one follows the left one. */
export interface ColumnsBlock {
  readonly kind: 'columns';
  readonly left: readonly Block[];
  readonly right: readonly Block[];
  /** Of the width, between 0 and 1. */
  readonly leftShare: number;
}

export interface Section {
  readonly heading: string;
  /** May stand beside its neighbour, if that may as well. */
  readonly isNarrow?: boolean;
  readonly blocks: readonly Block[];
}

/** Sections that begin on a page of their own. */
export interface Sheet {
  /** null: the title is its heading. */
  readonly heading: string | null;
  readonly sections: readonly Section[];
}

/** A document before it is set. */
export interface ReportDocument {
  readonly language: Language;
  readonly title: string;
  /** The patient and wound in one line, for the head of every page after the first. */
  readonly identity: string;
  /** Stands on every page; null where a clinician released what the document says. */
  readonly mark: string | null;
  readonly banner: { readonly label: string; readonly lines: readonly string[] };
  /** Names the document at the foot of every page. */
  readonly footer: string;
  readonly notice: string;
  /** The document's own date, not that of its setting: the same report makes the same bytes. */
  readonly issuedAt: Date;
  readonly paper: Paper;
  /** On paper each is one page where it fits one. */
  readonly sheets: readonly Sheet[];
}

/** Sections one by one, and narrow neighbours as pairs. */
export function inRows(sections: readonly Section[]): (readonly Section[])[] {
  const rows: Section[][] = [];
  for (const section of sections) {
    const before = rows.at(-1);
    if (section.isNarrow === true && before?.length === 1 && before[0]!.isNarrow === true) before.push(section);
    else rows.push([section]);
  }
  return rows;
}

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

export function notice(text: string): Block {
  return { kind: 'notice', text };
}

export function facts(...rows: readonly (Fact | null)[]): Block {
  return { kind: 'facts', facts: rows.filter((row) => row !== null), compact: false };
}

export function compactFacts(...rows: readonly (Fact | null)[]): Block {
  return { kind: 'facts', facts: rows.filter((row) => row !== null), compact: true };
}

/** null where there is nothing to say. */
export function factOf(label: string, value: string | null | undefined): Fact | null {
  return value === null || value === undefined ? null : { label, value };
}
