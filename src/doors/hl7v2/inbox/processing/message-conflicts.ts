import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../../../core/ports/unit-of-work.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { ClinicalRecords, type AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import type { EarlierHandling } from '../../mapping/reading/earlier-handling.js';
import { statementsSince } from '../../mapping/resources/restated-findings.js';
import { BROUGHT_SINCE } from '../store/inbound-queries.js';
import type { InboundRecord } from '../store/inbound-record.js';

/**
 * Later messages with a photo, a patient or an order of this one that are not done. Those that are just before their commit are waited for, and the others
 * wait for this one, so that nobody is overtaken unseen: either holds its records by then.
 */
const HELD_BACK = `with own as (select id, organization_id, environment, file_digests, terms from hl7_inbound where id = $1),
  concerned as (
    select later.id from own cross join lateral (select id from hl7_inbound message where message.file_digests <> '{}' and message.file_digests && own.file_digests
      and message.organization_id = own.organization_id and message.environment = own.environment and message.id > own.id) later
    union select later.id from own cross join lateral (select id from hl7_inbound message where message.terms <> '{}' and message.terms && own.terms
      and message.organization_id = own.organization_id and message.environment = own.environment and message.id > own.id) later)
  select id from hl7_inbound where id in (select id from concerned) and state in ('received', 'failed', 'held') order by id for share`;

/** A message that was planned as if nothing had come since. */
interface ReadOnceMore {
  readonly record: InboundRecord;
  readonly earlier: EarlierHandling;
}

/** Whether what a message is read once more for was overtaken while it was read. */
@Injectable()
export class MessageConflicts {
  constructor(private readonly records: ClinicalRecords) {}

  /**
   * At the end of the transaction that carries it out. `fhir.version_conflict` where another message has brought a photo of it, or somebody has stated a
   * finding of it, since it was planned: it is to be planned anew.
   */
  async requireNone(
    transaction: TenantTransaction,
    { record, earlier }: ReadOnceMore,
    { unstated = [] }: InboundPlan,
    { references }: AppliedBundle,
  ): Promise<void> {
    if (earlier.kind !== 'untouched') return;
    const statements = statementsOf(transaction);
    await statements.run(HELD_BACK, [record.id]);
    const { rows } = await statements.run<{ readonly sha256: string }>(BROUGHT_SINCE, [record.id]);
    if (rows.some(({ sha256 }) => !earlier.broughtSince.includes(sha256))) throw overtaken();
    const lookups = this.records.within(transaction);
    for (const finding of unstated) {
      const found = await statementsSince(lookups, tenantOf(record), earlier, finding);
      if (found.some(({ id }) => !references.includes(`Observation/${id}`))) throw overtaken();
    }
  }
}

function overtaken(): SuturaError {
  return new SuturaError('fhir.version_conflict', { detail: 'A later message has said the same meanwhile.' });
}
