import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../../../core/tenancy/tenant.js';
import type { NewMessage, OutboundRecord } from '../outbox/outbound-message.js';
import { OutboundQueries } from '../outbox/outbound-queries.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { OrderAnalysesReader, type OrderAnalyses } from './order-analyses.js';
import { OrderMembersReader } from './order-members.js';
import { OrderMessageComposer } from './order-message-composer.js';

const GONE =
  'It is about several photos of one order, which are no longer there or no longer together: they were erased, or moved.';
const SEALED = 'No key opens it, so that nobody can tell of which photos of its order it is.';

/** Makes messages about several photos of one order anew: all the photos that they are about, and no other. */
@Injectable()
export class OrderRebuilding {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: OutboundQueries,
    private readonly analyses: OrderAnalysesReader,
    private readonly members: OrderMembersReader,
    private readonly composer: OrderMessageComposer,
  ) {}

  /** null: it is about one photo. `hl7.not_rebuilt` where its photos are gone, or no key opens it and it may be about several. */
  async made(message: OutboundRecord, destination: Hl7Destination): Promise<NewMessage | null> {
    const tenant = tenantOf(message);
    const written = await this.outbox.written(message.id);
    if (written === null) return this.requireSingle(tenant, message);
    const statuses = statusesIn(written);
    if (statuses.size < 2) return null;
    const order = await this.orderOf(tenant, [...statuses.keys()]);
    const [addressed] = await this.members.addressed(tenant, [destination]);
    const told = order === null ? [] : await this.members.told(tenant, order, addressed!, statuses);
    const carrier = told.find(({ subjectId }) => subjectId === message.subjectId) ?? told[0];
    const made = carrier === undefined ? null : await this.composer.compose(told, carrier, addressed!);
    if (made === null) throw new SuturaError('hl7.not_rebuilt', { detail: GONE });
    return made;
  }

  private async requireSingle(tenant: Tenant, { subjectId }: OutboundRecord): Promise<null> {
    const order = await this.unitOfWork.inTenant(
      tenant,
      async (transaction) =>
        (await this.analyses.ofReport(transaction, subjectId)) ??
        (await this.analyses.ofAnalysis(transaction, subjectId)),
    );
    if ((order?.analyses.length ?? 0) > 1) throw new SuturaError('hl7.not_rebuilt', { detail: SEALED });
    return null;
  }

  private orderOf(tenant: Tenant, analysisIds: readonly string[]): Promise<OrderAnalyses | null> {
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      for (const id of analysisIds) {
        const order = await this.analyses.ofAnalysis(transaction, id);
        if (order !== null) return order;
      }
      return null;
    });
  }
}

/** OBR-25 by the analysis in OBR-3, of a message of ours: these fields are ASCII between the usual delimiters. */
function statusesIn(bytes: Buffer): ReadonlyMap<string, string> {
  const rows = bytes.toString('latin1').split('\r');
  const groups = rows.flatMap((row) => (row.startsWith('OBR|') ? [row.split('|')] : []));
  return new Map(groups.map((fields) => [fields[3]?.split('^')[0] ?? '', fields[25] ?? '']));
}
