import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ReportReading } from '../../core/report/clinical-report.js';
import { ReportPictureReader } from '../../core/report/report-pictures.js';
import { ReportReader } from '../../core/report/report-reader.js';
import { ReportRepository } from '../../core/report/report.repository.js';
import { ReportRenderer } from '../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import { readReportBinaryId } from '../projection/report-document.js';
import type { LoadBytes } from '../interactions/binary-content.js';

/** Versions of reports as PDF, set when they are read. Their content is read within the caller's transaction, since a second one could wait for the first. */
@Injectable()
export class ReportBytes {
  constructor(
    private readonly reader: ReportReader,
    private readonly pictures: ReportPictureReader,
    private readonly reports: ReportRepository,
    private readonly renderer: ReportRenderer,
  ) {}

  /** null: the id is not that of a report's version. */
  async open(call: FhirCall, id: string): Promise<LoadBytes | null> {
    const named = readReportBinaryId(id);
    const reading = named === null ? null : await this.readingOf(call, named.reportId, named.version);
    if (reading === null) return null;
    const { report } = reading;
    const draw = await this.pictures.prepare(call.transaction, report);
    return async () => {
      const bytes = Buffer.from(await this.renderer.render(reading, await draw(), 'pdf', 'en'));
      return { contentType: 'application/pdf', bytes, entityTag: tagOf(bytes), lastModified: report.issuedAt };
    };
  }

  /** The present version as it stands in its series, an earlier one as it was written. */
  private async readingOf({ transaction }: FhirCall, reportId: string, version: number): Promise<ReportReading | null> {
    const present = await this.reader.readIn(transaction, reportId);
    if (present === null || present.report.version === version) return present;
    const report = (await this.reports.versions(transaction, reportId)).find((one) => one.version === version);
    return report === undefined ? null : { ...present, report, sequence: null, trend: [] };
  }
}

/** Strong entity tag of bytes: the same bytes, the same tag. */
export function tagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex')}"`;
}
