import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../../core/ports/object-store.js';
import type { ClinicalReport, ReportReading } from '../../../core/report/clinical-report.js';
import { ReportReader } from '../../../core/report/report-reading.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { ReportRenderer, type Language } from '../../../reports/index.js';
import type { Hl7Destination } from '../hl7-destination.js';
import type { AttachedFile } from '../oru/document-rows.js';
import type { ReportFacts } from './report-facts.js';

/** The files of one version as one destination gets them. */
export interface ResultFiles {
  readonly document: AttachedFile | null;
  readonly photo: AttachedFile | null;
  /** The images whose photo or picture is in these files. */
  readonly imageIds: readonly string[];
}

/** A document with the images that it shows. */
interface SetDocument {
  readonly bytes: Uint8Array;
  readonly imageIds: readonly string[];
}

/** What a message holds beside its files, with room to spare. */
const REST_BYTES = 64 * 1024;

/** Documents and photos of one report, each read or set once however many destinations there are. */
export class ReportFiles {
  private readonly documents = new Map<string, Promise<SetDocument>>();
  private photo: Promise<Uint8Array | null> | undefined;

  constructor(
    private readonly story: ReportFacts,
    private readonly sources: {
      readonly reader: ReportReader;
      readonly renderer: ReportRenderer;
      readonly store: ObjectStore;
      readonly publicUrl: string;
    },
  ) {}

  /** What would make the message larger than the destination takes is named by its address: the photo first. */
  async of(version: ClinicalReport, { settings }: Pick<Hl7Destination, 'settings'>): Promise<ResultFiles> {
    const { pdf, photo, maxBytes, language } = settings;
    const { publicUrl } = this.sources;
    const documentUrl = { url: `${publicUrl}/fhir/Binary/${version.id}-v${version.version}` };
    const photoUrl = { url: `${publicUrl}/fhir/Binary/${version.imageId}` };
    const document = pdf === 'ed' ? await this.documentOf(version, language) : null;
    const room = maxBytes - REST_BYTES;
    const documentFits = document !== null && inBase64(document.bytes) <= room;
    const picture =
      photo === 'ed' &&
      this.story.image !== null &&
      inBase64({ length: this.story.image.sizeBytes ?? 0 }) <= room - (documentFits ? inBase64(document.bytes) : 0)
        ? await this.readPhoto()
        : null;
    const shown = [...(documentFits ? document.imageIds : []), ...(picture === null ? [] : [version.imageId])];
    return {
      document: pdf === 'none' ? null : documentFits ? { bytes: document.bytes } : documentUrl,
      photo: photo === 'none' || this.story.image === null ? null : picture === null ? photoUrl : { bytes: picture },
      imageIds: [...new Set(shown)],
    };
  }

  private documentOf(version: ClinicalReport, language: Language): Promise<SetDocument> {
    const key = `${version.version} ${language}`;
    const known = this.documents.get(key);
    if (known !== undefined) return known;
    const made = this.render(version, language);
    this.documents.set(key, made);
    return made;
  }

  /** The present version as it stands in its series, an earlier one as it was written: the same bytes as over FHIR. */
  private async render(version: ClinicalReport, language: Language): Promise<SetDocument> {
    const { reader, renderer } = this.sources;
    const { reading } = this.story;
    const isPresent = reading.report.version === version.version;
    const read: ReportReading = isPresent
      ? reading
      : { report: version, sequence: null, presentVersion: reading.report.version, trend: [] };
    const pictures = {
      current: await reader.picture(version),
      previous: await reader.previousPicture(version, version),
    };
    const imageIds = [pictures.current, pictures.previous].flatMap((picture) => picture?.imageId ?? []);
    return { bytes: await renderer.render(read, pictures, 'pdf', language), imageIds };
  }

  private readPhoto(): Promise<Uint8Array | null> {
    this.photo ??=
      this.story.image === null ? Promise.resolve(null) : this.sources.store.get(this.story.image.objectKey);
    return this.photo;
  }
}

@Injectable()
export class ResultFilesReader {
  constructor(
    private readonly reader: ReportReader,
    private readonly renderer: ReportRenderer,
    private readonly store: ObjectStore,
    private readonly address: PublicAddress,
  ) {}

  for(story: ReportFacts): ReportFiles {
    return new ReportFiles(story, {
      reader: this.reader,
      renderer: this.renderer,
      store: this.store,
      publicUrl: this.address.url,
    });
  }
}

function inBase64({ length }: { readonly length: number }): number {
  return Math.ceil(length / 3) * 4;
}
