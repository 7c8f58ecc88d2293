import { ReportDocumentArchive } from '../../../core/report/report-document-archive.js';
import { reportTitle } from '../../../reports/index.js';
import { DIALECTS } from '../dialects/dialects.js';
import type { Dialect, DocumentBytes, FiledPart, FiledResource, Filing, FilingFacts } from '../dialects/filing.js';
import type { FiledLedger, KeptResource, LedgerEntry } from '../queue/filed-ledger.js';
import { HeldError } from '../settings/holds.js';
import type { Filer } from './filer.js';
import type { FilingTurn } from './filing-turn.js';
import { FilingReader, type ReportToFile } from './filing-reader.js';
import { Looks } from './looks.js';
import { PeopleFinder } from './people-finder.js';
import { VisitNumbers } from './visit-numbers.js';

/** What a delivery is of. */
export interface FiledDelivery {
  readonly part: FiledPart;
  readonly reportId: string;
  readonly version: number;
}

/** More inline is not taken everywhere (US Core: 5 MiB): the text is filed instead. */
const MOST_DOCUMENT_BYTES = 5 * 1024 * 1024;

export interface FilingPorts {
  readonly reader: FilingReader;
  readonly visits: VisitNumbers;
  readonly documents: ReportDocumentArchive;
  readonly ledger: FiledLedger;
  readonly people: PeopleFinder;
  readonly looks: Looks;
  readonly filer: Filer;
}

/** Files one part of a version: who it is about, what stands there already, then the request. */
export class ReportFiling {
  constructor(
    private readonly ports: FilingPorts,
    private readonly snomed: boolean,
  ) {}

  /** HeldError, TransientError, NoEhrAnswerError. */
  async file(delivery: FiledDelivery, turn: FilingTurn): Promise<readonly KeptResource[]> {
    const { ehr } = turn;
    const { reader, ledger, people, visits, filer } = this.ports;
    const dialect = DIALECTS[ehr.push.dialect];
    if ((delivery.part === 'bundle') !== dialect.isBundled) throw new HeldError('ehr_settings_changed');
    const local = await reader.read(ehr, delivery);
    if (local === null) throw new HeldError('ehr_report_gone');
    const visitNumber = ehr.push.encounterRule === 'identifier' ? await visits.of(ehr, local.report) : null;
    const found = await people.find(ehr, { ...local.people, visitNumber }, dialect.namesAuthor, turn.signal);
    const known = { ...found, settings: ehr.push, snomed: this.snomed, timeZone: local.timeZone };
    const before: FiledResource[] = [];
    for (const entry of await ledger.before(ehr.id, delivery.reportId, delivery.version))
      before.push(...(await this.standing(entry, { local, dialect, known: { ...known, before: [...before] } }, turn)));
    const facts = await this.factsOf(delivery, { local, dialect, known: { ...known, before } });
    const filed = await filer.file(dialect.filingOf(delivery.part, facts), turn);
    return filed.map((one) => ({ ...one, patient: found.patient }));
  }

  /** What a delivery left in the EHR. Where nobody knows, it is looked for: `ehr_outcome_unknown` where that does not tell. */
  private async standing(entry: LedgerEntry, round: Round, turn: FilingTurn): Promise<readonly FiledResource[]> {
    const { version } = entry;
    // A correction in another chart would leave what it corrects where it is wrong.
    if (entry.filed.some(({ patient }) => patient !== round.known.patient)) throw new HeldError('ehr_patient_changed');
    const isNamed = entry.filed.every(({ id }) => id !== null);
    if (isNamed && !entry.isUnclear)
      return entry.filed.map(({ part, type, id, versionId }) => ({ part, type, id: id!, versionId, version }));
    const report = round.local.versions.find((one) => one.version === version);
    if (report === undefined) throw new HeldError('ehr_outcome_unknown');
    const named = { part: entry.part, reportId: report.id, version };
    const facts = await this.factsOf(named, { ...round, local: { ...round.local, report } });
    const found: FiledResource[] = [];
    for (const { part, look } of createsOf(round.dialect.filingOf(entry.part, facts))) {
      // What a person decided is about the delivery at hand, not about this one.
      const there = await this.ports.looks.settle(look, { ...turn, isAskedAnew: false });
      if (there !== null) found.push({ part, ...there, version });
    }
    return found;
  }

  private async factsOf({ part, version }: FiledDelivery, { local, dialect, known }: Round): Promise<FilingFacts> {
    const { report, versions } = local;
    const hasDocument = part === 'document' || (part === 'bundle' && known.settings.send.includes('pdf'));
    const document = hasDocument ? await this.documentOf(local, version, dialect) : null;
    return { report, versions, document, ...known };
  }

  private async documentOf({ report }: ReportToFile, version: number, dialect: Dialect): Promise<DocumentBytes> {
    const { language } = dialect;
    const named = { reportId: report.id, version };
    const title = reportTitle(language);
    if (dialect.form === 'pdf') {
      const { bytes } = await this.ports.documents.open(report, named, { format: 'pdf', language });
      if (bytes.length <= MOST_DOCUMENT_BYTES) return { contentType: 'application/pdf', bytes, title, language };
    }
    const { bytes } = await this.ports.documents.open(report, named, { format: 'text', language });
    return { contentType: 'text/plain', bytes, title, language };
  }
}

/** What the facts of any version of the report are made from. */
interface Round {
  readonly local: ReportToFile;
  readonly dialect: Dialect;
  readonly known: Omit<FilingFacts, 'report' | 'versions' | 'document'>;
}

function createsOf(filing: Filing) {
  const writes = filing.kind === 'nothing' ? [] : filing.kind === 'one' ? [filing.write] : filing.writes;
  return writes.flatMap((write) => (write.kind === 'create' ? [write] : []));
}
