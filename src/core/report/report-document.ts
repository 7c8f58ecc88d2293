import type { ClinicalReport, ReportPictures, ReportReading } from './clinical-report.js';

export const REPORT_FORMATS = ['html', 'pdf', 'text'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The papers that documents are printed on. */
export const PAPERS = ['a4', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];
export const DEFAULT_PAPER: Paper = 'a4';

/** The form of a document: the same version in another form is another document. */
export interface DocumentForm {
  readonly format: ReportFormat;
  /** BCP 47, one of those that documents are written in. */
  readonly language: string;
  /** null: the format has no pages. */
  readonly paper: Paper | null;
}

/** What a reader asks for; without a paper it is that of the service's settings. */
export interface WantedForm extends Pick<DocumentForm, 'format' | 'language'> {
  readonly paper?: Paper | null | undefined;
}

export function formOf({ format, language, paper }: WantedForm, usualPaper: Paper): DocumentForm {
  return { format, language, paper: format === 'text' ? null : (paper ?? usualPaper) };
}

/** One version of one report. */
export interface ReportVersionId {
  readonly reportId: string;
  readonly version: number;
}

/** A document that was made, and where its bytes lie. */
export interface KeptDocument extends ReportVersionId, DocumentForm {
  readonly sizeBytes: number;
  /** Hex, lower case, like the next. FHIR R4 states this one. */
  readonly sha1: string;
  readonly sha256: string;
  /** The images whose photos, or pictures of them, it shows. */
  readonly imageIds: readonly string[];
  readonly objectKey: string;
  readonly madeAt: Date;
}

/** A kept document with its bytes. */
export interface OpenedDocument {
  readonly document: KeptDocument;
  readonly bytes: Uint8Array;
  /** False: it lacks a photo that the store lost, and the next reader may get another. */
  readonly isKept: boolean;
}

/** Sets a report as a document. */
export abstract class ReportDocumentRenderer {
  abstract render(reading: ReportReading, pictures: ReportPictures, form: DocumentForm): Promise<Uint8Array>;
}

/** The folder of all documents of one version in the object store. */
export function documentFolder({ reportId, version }: ReportVersionId): string {
  return `documents/${reportId}-v${version}/`;
}

export function documentKey(named: ReportVersionId, { format, language, paper }: DocumentForm): string {
  return `${documentFolder(named)}${[format, language, paper].filter((part) => part !== null).join('-')}`;
}

/** The version as a document shows it: with what the present version says of erased photos. */
export function withErasures(report: ClinicalReport, present: ClinicalReport): ClinicalReport {
  const { erasedPhotos } = present.content;
  return erasedPhotos === undefined ? report : { ...report, content: { ...report.content, erasedPhotos } };
}
