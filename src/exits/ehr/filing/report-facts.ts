import type { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import { reportTitle } from '../../../reports/index.js';
import { isWithdrawn, type Dialect, type DocumentBytes, type FiledPart, type FilingFacts } from '../dialects/filing.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import type { ReportToFile } from './filing-reader.js';
import type { AskedPeople } from './people-finder.js';

/** More inline is not taken everywhere (US Core: 5 MiB): the text is filed instead. */
const MOST_DOCUMENT_BYTES = 5 * 1024 * 1024;

/** A version of a report on its way to an EHR. */
export interface VersionToFile {
  readonly local: ReportToFile & { readonly people: AskedPeople };
  readonly dialect: Dialect;
  readonly ehr: PushingEhr;
}

/** Whether the version only marks what stands of the part: each mark counts, whatever becomes of the others, and names nobody anew. */
export function isMarked(part: FiledPart, { local, dialect }: Pick<VersionToFile, 'local' | 'dialect'>): boolean {
  return isWithdrawn(local.report) && (part !== 'document' || dialect.withdrawsBy === 'status');
}

/** All that the writes of a part are made from. */
export class ReportFacts {
  constructor(
    private readonly documents: ReportDocumentArchive,
    private readonly snomed: boolean,
  ) {}

  async of(
    part: FiledPart,
    { local, dialect, ehr }: VersionToFile,
    known: Pick<FilingFacts, 'patient' | 'encounter' | 'author' | 'before'>,
  ): Promise<FilingFacts> {
    const { report, versions, timeZone } = local;
    const { push: settings } = ehr;
    const isByStatus = isWithdrawn(report) && dialect.withdrawsBy === 'status';
    const inBundle = settings.send.includes('pdf') || known.before.some((one) => one.part === 'document');
    const hasDocument = !isByStatus && (part === 'document' || (part === 'bundle' && inBundle));
    const document = hasDocument ? await this.documentOf(local, dialect) : null;
    return { report, versions, document, settings, snomed: this.snomed, timeZone, ...known };
  }

  private async documentOf({ report }: ReportToFile, { form, language }: Dialect): Promise<DocumentBytes> {
    const named = { reportId: report.id, version: report.version };
    const title = reportTitle(language);
    if (form === 'pdf') {
      const { bytes } = await this.documents.open(report, named, { format: 'pdf', language });
      if (bytes.length <= MOST_DOCUMENT_BYTES) return { contentType: 'application/pdf', bytes, title, language };
    }
    const { bytes } = await this.documents.open(report, named, { format: 'text', language });
    return { contentType: 'text/plain', bytes, title, language };
  }
}
