import type { ReportVersionId, DocumentForm } from '../../../core/report/report-document.js';
import type { StoredFile } from '../../../standards/hl7v2/er7/stored-file.js';

/** The document of a report, by which it can be made anew, or a photo. */
export type FileOrigin =
  | ({ readonly kind: 'document' } & ReportVersionId & Pick<DocumentForm, 'language' | 'paper'>)
  | { readonly kind: 'photo'; readonly imageId: string };

/** A file of a message that goes out, in the object store. */
export type MessageFile = StoredFile & FileOrigin;
