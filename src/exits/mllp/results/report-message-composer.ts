import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { Settings } from '../../../platform/config/settings.js';
import { withAuthorities } from '../destinations/listener-authorities.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import type { Authorities } from '../settings/authorities.js';
import { toResultMessage } from '../oru/result-message.js';
import type { NewMessage } from '../outbox/outbound-message.js';
import { versionsFor } from '../routing/routes.js';
import type { ReportFacts } from './report-facts-reader.js';
import { ReportFilesReader, type ReportFiles } from './report-files.js';

export type MessagesOfDestination = readonly [Hl7Destination, readonly NewMessage[]];

/** Makes the messages that destinations lack of one report. */
@Injectable()
export class ReportMessageComposer {
  constructor(
    private readonly files: ReportFilesReader,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** In the order of the destinations' ids. Called before any row is locked: rendering a document takes longer than a lock should be held. */
  async compose(
    facts: ReportFacts,
    destinations: readonly Hl7Destination[],
    known: Authorities,
  ): Promise<MessagesOfDestination[]> {
    const files = this.files.of(facts);
    const composed: MessagesOfDestination[] = [];
    for (const destination of [...destinations].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const messages: NewMessage[] = [];
      for (const version of facts.missing.get(destination.id) ?? []) {
        const message = await this.toMessage(facts, files, version, {
          ...destination,
          settings: withAuthorities(destination.settings, known),
        });
        if (message !== null) messages.push(message);
      }
      if (messages.length > 0) composed.push([destination, messages]);
    }
    return composed;
  }

  private async toMessage(
    facts: ReportFacts,
    files: ReportFiles,
    version: ClinicalReport,
    destination: Hl7Destination,
  ): Promise<NewMessage | null> {
    const { patient, received, analysedAt, image, patientId } = facts;
    const { document, photo, imageIds, stored } = await files.of(version, destination);
    const format = image?.verdict?.format ?? 'jpeg';
    const result = {
      report: version,
      before: versionsFor(destination, facts.versions).findLast((one) => one.version < version.version) ?? null,
      patient,
      received,
      analysedAt,
      snomed: this.settings.fhir.snomed,
      document,
      photo: photo === null ? null : { file: photo, format },
      sentAt: this.clock.now(),
    };
    const build = toResultMessage(result, destination.settings);
    if (build === null) return null;
    return {
      kind: 'result',
      subjectId: version.id,
      version: version.version,
      lane: patientId ?? version.id,
      preliminary: version.status === 'preliminary',
      imageIds,
      files: stored,
      build,
    };
  }
}
