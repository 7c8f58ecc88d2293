import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import { ImageRepository } from '../../../core/ports/image.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { tenantOf, type Tenant } from '../../../core/tenancy/tenant.js';
import { Settings } from '../../../platform/config/settings.js';
import type { Hl7Destination } from '../hl7-destination.js';
import { ListenerAuthorities, withAuthorities } from '../destinations/listener-authorities.js';
import type { Authorities } from '../oru/authorities.js';
import { toResultMessage } from '../oru/result-message.js';
import type { NewMessage } from '../outbox/outbound-message.js';
import { OutboundQueue } from '../outbox/outbound-queue.js';
import { Disclosures } from './disclosures.js';
import { ReportFactsReader, toldTo, type ReportFacts } from './report-facts.js';
import { ResultFilesReader, type ReportFiles } from './result-files.js';

/** Puts the versions of a report into the outbox of every destination that lacks them. */
@Injectable()
export class ReportMessages {
  constructor(
    private readonly stories: ReportFactsReader,
    private readonly files: ResultFilesReader,
    private readonly images: ImageRepository,
    private readonly queue: OutboundQueue,
    private readonly disclosures: Disclosures,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly authorities: ListenerAuthorities,
    private readonly clock: Clock,
  ) {}

  /** What it took the place of is withdrawn first: a receiver never holds both. A repeat writes nothing. */
  async write(tenant: Tenant, reportId: string, destinations: readonly Hl7Destination[]): Promise<void> {
    // Where a photo is erased while its messages are composed, they are composed anew, without it.
    while (!(await this.tryToWrite(tenant, reportId, destinations)));
  }

  private async tryToWrite(
    tenant: Tenant,
    reportId: string,
    destinations: readonly Hl7Destination[],
  ): Promise<boolean> {
    const story = await this.stories.read(tenant, reportId, destinations);
    if (story === null) return true;
    const { replaces } = story.reading.report;
    if (replaces !== null) await this.write(tenant, replaces, destinations);
    const written = await this.compose(story, destinations, await this.authorities.ofTenant(tenant));
    return this.unitOfWork.inTenant(tenantOf(tenant), async (transaction) => {
      if (!(await this.areStillThere(transaction, written))) return false;
      for (const [destination, messages] of written) {
        const count = await this.queue.enqueue(transaction, destination, messages);
        if (count > 0)
          await this.disclosures.record(transaction, destination, {
            patientId: story.patientId,
            resource: `DiagnosticReport/${reportId}`,
          });
      }
      return true;
    });
  }

  /** The images that the messages show; they stay until the transaction ends. */
  private async areStillThere(
    transaction: TenantTransaction,
    written: readonly (readonly [Hl7Destination, readonly NewMessage[]])[],
  ): Promise<boolean> {
    const shown = new Set(written.flatMap(([, messages]) => messages.flatMap(({ imageIds }) => imageIds)));
    for (const imageId of [...shown].sort()) {
      if ((await this.images.findForUse(transaction, imageId))?.status !== 'stored') return false;
    }
    return true;
  }

  /** Built before any row is locked: setting a document takes longer than a lock should be held. Destinations in the order of their ids. */
  private async compose(
    story: ReportFacts,
    destinations: readonly Hl7Destination[],
    known: Authorities,
  ): Promise<[Hl7Destination, NewMessage[]][]> {
    const files = this.files.for(story);
    const composed: [Hl7Destination, NewMessage[]][] = [];
    for (const destination of [...destinations].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const messages: NewMessage[] = [];
      for (const version of story.missing.get(destination.id) ?? []) {
        const message = await this.toMessage(story, files, version, {
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
    story: ReportFacts,
    files: ReportFiles,
    version: ClinicalReport,
    destination: Hl7Destination,
  ): Promise<NewMessage | null> {
    const { patient, received, analysedAt, image, patientId } = story;
    const { document, photo, imageIds } = await files.of(version, destination);
    const format = image?.verdict?.format ?? 'jpeg';
    const facts = {
      report: version,
      before: toldTo(destination, story.versions).findLast((one) => one.version < version.version) ?? null,
      patient,
      received,
      analysedAt,
      snomed: this.settings.fhir.snomed,
      document,
      photo: photo === null ? null : { file: photo, format },
      sentAt: this.clock.now(),
    };
    const build = toResultMessage(facts, destination.settings);
    if (build === null) return null;
    return {
      kind: 'result',
      subjectId: version.id,
      version: version.version,
      lane: patientId ?? version.id,
      preliminary: version.status === 'preliminary',
      imageIds,
      build,
    };
  }
}
