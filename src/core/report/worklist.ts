import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { Concern } from './concern.js';
import type { ReportHeading, ReportHeadings } from './report-heading.js';
import type { ListedReport, ListedWound, ListPage, ListPlace, WorklistRepository } from './worklist.repository.js';

export interface WorklistPorts {
  readonly unitOfWork: UnitOfWork;
  readonly worklist: WorklistRepository;
  readonly headings: ReportHeadings;
}

/** With whose wound it is, as the records say now. */
export type Headed<Entry> = Entry & { readonly heading: ReportHeading };

export interface WorklistPage<Entry> {
  readonly items: readonly Headed<Entry>[];
  /** null: that was the last page. */
  readonly next: ListPlace | null;
}

/** What reviewers go through: reports that wait for them, and all open wounds. */
export class Worklist {
  constructor(private readonly ports: WorklistPorts) {}

  reportsForReview(tenant: Tenant, page: ListPage): Promise<WorklistPage<ListedReport>> {
    return this.ports.unitOfWork.inTenant(tenant, async (transaction) =>
      this.headed(
        transaction,
        await this.ports.worklist.reportsForReview(transaction, oneMore(page)),
        page.limit,
        ({ report }) => report.id,
      ),
    );
  }

  woundsInCare(tenant: Tenant, page: ListPage): Promise<WorklistPage<ListedWound>> {
    return this.ports.unitOfWork.inTenant(tenant, async (transaction) =>
      this.headed(
        transaction,
        await this.ports.worklist.woundsInCare(transaction, oneMore(page)),
        page.limit,
        ({ wound }) => wound.id,
      ),
    );
  }

  private async headed<Entry extends ListedReport>(
    transaction: TenantTransaction,
    found: readonly Entry[],
    limit: number,
    idOf: (entry: Entry) => string,
  ): Promise<WorklistPage<Entry>> {
    const entries = found.slice(0, limit);
    const items: Headed<Entry>[] = [];
    for (const entry of entries) {
      const { report, wound } = entry;
      const subject = {
        jobId: report.jobId,
        imageId: report.imageId,
        patientId: wound.patientId,
        patient: wound.patient,
      };
      items.push({ ...entry, heading: await this.ports.headings.of(transaction, subject) });
    }
    const last = entries.at(-1);
    const isMore = found.length > limit && last !== undefined;
    return { items, next: isMore ? placeOf(last, idOf(last)) : null };
  }
}

function oneMore(page: ListPage): ListPage {
  return { ...page, limit: page.limit + 1 };
}

function placeOf({ concern, since }: { readonly concern: Concern; readonly since: Date }, id: string): ListPlace {
  return { concern, since, id };
}
