import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../../core/images/object-store.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import type { KeptDocument, OpenedDocument } from '../../../core/report/report-document.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import type { Language } from '../../../reports/index.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { base64Length, newFileToken } from '../../../standards/hl7v2/er7/stored-file.js';
import { digestOf } from '../../../platform/turns/digest.js';
import { MessageFileStore } from '../../../standards/hl7v2/files/message-file-store.js';
import type { MessageFile } from '../outbox/message-file.js';
import type { AttachedFile } from '../oru/document-rows.js';
import type { ReportFacts } from './report-facts-reader.js';

/** The files of one version in the form that one destination gets. */
export interface VersionFiles {
  readonly document: AttachedFile | null;
  readonly photo: AttachedFile | null;
  /** The images whose photo or picture is in these files. */
  readonly imageIds: readonly string[];
  /** Those that the object store keeps: they are put in when the message is sent. */
  readonly stored: readonly MessageFile[];
}

type StoredPhoto = Omit<Extract<MessageFile, { readonly kind: 'photo' }>, 'token'>;

/** Room for the rest of the message. */
const REST_BYTES = 64 * 1024;

/** Documents and photo of one report, each read once however many destinations there are. */
class ReportFiles {
  private readonly documents = new Map<string, Promise<OpenedDocument>>();
  private photo: Promise<StoredPhoto | null> | undefined;

  constructor(
    private readonly facts: Pick<ReportFacts, 'image'>,
    private readonly sources: {
      readonly archive: ReportDocumentArchive;
      readonly store: ObjectStore;
      readonly files: MessageFileStore;
      readonly publicUrl: string;
    },
  ) {}

  /** A file that makes the message larger than the destination takes is replaced by its URL: the photo first. */
  async of(version: ClinicalReport, { settings }: Pick<Hl7Destination, 'settings'>): Promise<VersionFiles> {
    const { pdf, photo, maxBytes, language } = settings;
    const { publicUrl } = this.sources;
    const documentUrl = { url: `${publicUrl}/fhir/Binary/${version.id}-v${version.version}` };
    const photoUrl = { url: `${publicUrl}/fhir/Binary/${version.imageId}` };
    const document = pdf === 'ed' ? await this.documentOf(version, language) : null;
    const room = maxBytes - REST_BYTES;
    const documentFits = document !== null && base64Length(document.bytes.length) <= room;
    const picture =
      photo === 'ed' &&
      this.facts.image !== null &&
      base64Length(this.facts.image.sizeBytes ?? 0) <= room - (documentFits ? base64Length(document.bytes.length) : 0)
        ? await this.readPhoto()
        : null;
    const shown = [...(documentFits ? document.document.imageIds : []), ...(picture === null ? [] : [version.imageId])];
    const storedDocument = documentFits && document.isKept ? storedDocumentOf(document.document) : null;
    if (storedDocument !== null && document !== null) this.sources.files.remember(storedDocument, document.bytes);
    const storedPhoto = picture === null ? null : { ...picture, token: newFileToken() };
    return {
      document: pdf === 'none' ? null : (storedDocument ?? (documentFits ? { bytes: document.bytes } : documentUrl)),
      photo: photo === 'none' || this.facts.image === null ? null : (storedPhoto ?? photoUrl),
      imageIds: [...new Set(shown)],
      stored: [storedDocument, storedPhoto].filter((file) => file !== null),
    };
  }

  /** The same bytes as over FHIR and REST. */
  private documentOf(version: ClinicalReport, language: Language): Promise<OpenedDocument> {
    const key = `${version.version} ${language}`;
    const known = this.documents.get(key);
    if (known !== undefined) return known;
    const named = { reportId: version.id, version: version.version };
    const opened = this.sources.archive.open(version, named, { format: 'pdf', language });
    this.documents.set(key, opened);
    return opened;
  }

  private readPhoto(): Promise<StoredPhoto | null> {
    this.photo ??= this.findPhoto();
    return this.photo;
  }

  private async findPhoto(): Promise<StoredPhoto | null> {
    const { image } = this.facts;
    const bytes = image === null ? null : await this.sources.store.get(image.objectKey);
    if (image === null || bytes === null) return null;
    const sha256 = (await digestOf('sha256', bytes)).toString('hex');
    const photo = { objectKey: image.objectKey, sha256, sizeBytes: bytes.length };
    this.sources.files.remember(photo, bytes);
    return { kind: 'photo', imageId: image.id, ...photo };
  }
}

@Injectable()
export class ReportFilesReader {
  constructor(
    private readonly archive: ReportDocumentArchive,
    private readonly store: ObjectStore,
    private readonly files: MessageFileStore,
    private readonly address: PublicAddress,
  ) {}

  of(facts: Pick<ReportFacts, 'image'>): ReportFiles {
    return new ReportFiles(facts, {
      archive: this.archive,
      store: this.store,
      files: this.files,
      publicUrl: this.address.url,
    });
  }
}

function storedDocumentOf({
  reportId,
  version,
  language,
  paper,
  objectKey,
  sha256,
  sizeBytes,
}: KeptDocument): MessageFile {
  const origin = { kind: 'document' as const, reportId, version, language, paper };
  return { ...origin, objectKey, sha256, sizeBytes, token: newFileToken() };
}

export type { ReportFiles };
