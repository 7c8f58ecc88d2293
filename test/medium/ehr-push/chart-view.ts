import type { FakeEhr, Resource } from '../../support/fake-ehr/index.js';

/** A document of the report in a chart. */
export interface FiledDocument {
  /** `DocumentReference/id`. */
  readonly reference: string;
  readonly version: number;
  /** `Patient/id`. */
  readonly patient: string;
  readonly status: unknown;
}

/** What people see of a report in the charts of an EHR that has nothing else. */
export class ChartView {
  constructor(private readonly ehr: FakeEhr) {}

  /** Oldest first. */
  all(): readonly FiledDocument[] {
    return this.ehr.control.resources('DocumentReference').map((one) => ({
      reference: `DocumentReference/${String(one['id'])}`,
      version: this.versionOf(one),
      patient: (one['subject'] as { reference: string }).reference,
      status: one['status'],
    }));
  }

  standing(): readonly FiledDocument[] {
    return this.all().filter(({ status }) => status === 'current');
  }

  text(reference: string): Resource {
    return this.ehr.control.history(reference).at(-1)!;
  }

  /** By our number, or by its bytes where the EHR keeps no numbers of others. */
  private versionOf(document: Resource): number {
    const named = /\/v(\d+)"/.exec(JSON.stringify(document['identifier'] ?? ''));
    if (named !== null) return Number(named[1]);
    const [{ attachment }] = document['content'] as [{ attachment: { data?: string; url?: string } }];
    const id = attachment.url?.split('/').at(-1);
    const binary = this.ehr.control.resources('Binary').find((one) => one['id'] === id);
    const text = Buffer.from(attachment.data ?? String(binary?.['data']), 'base64').toString('utf8');
    return Number(/version (\d+)/.exec(text)![1]);
  }
}
