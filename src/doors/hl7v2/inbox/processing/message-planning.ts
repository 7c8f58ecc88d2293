import { Injectable } from '@nestjs/common';
import { AuthorityDirectory } from '../../../../core/patients/authority-table.js';
import type { PatientIdentifier } from '../../../../core/patients/patient.js';
import { LearnedAuthorities } from '../../../../core/patients/learned-authorities.js';
import { tenantOf } from '../../../../core/tenancy/tenant.js';
import type { DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import { ClinicalRecords } from '../../../../standards/hl7v2/records/clinical-records.js';
import { InboundMapper } from '../../mapping/inbound-mapper.js';
import type { InboundPlan, PlanAuthorities } from '../../mapping/plan/inbound-plan.js';
import type { EarlierHandling } from '../../mapping/reading/earlier-handling.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';
import { UNSETTLED, type SettledIdentity } from '../../mapping/reading/message-reading.js';
import { timedRecords } from '../../mapping/reading/timed-records.js';
import type { InboundRecord } from '../store/inbound-record.js';
import { IdentityHolding, type WaitsForDecision } from './identity-holding.js';
import { UnannouncedPatients } from './unannounced-patients.js';

/** Pairs that one message teaches: a hostile one may state thousands. */
const MOST_LEARNED = 8;

/** The plan of a kept message, with the warnings of its decoding. */
export interface PlannedMessage {
  readonly plan: InboundPlan;
  /** Nobody has decided about one of its patients; null: nothing is to be decided. */
  readonly waits: WaitsForDecision | null;
  readonly confirmsIdentity: boolean;
}

/** Plans messages by what people decided about their patients. */
@Injectable()
export class MessagePlanning {
  constructor(
    private readonly mapper: InboundMapper,
    private readonly records: ClinicalRecords,
    private readonly holding: IdentityHolding,
    private readonly authorities: AuthorityDirectory,
    private readonly learned: LearnedAuthorities,
    private readonly unannounced: UnannouncedPatients,
  ) {}

  /** `come`: numbers of patients who get a record although nobody has announced them. */
  async plan(
    record: InboundRecord,
    source: Hl7Source,
    { message, header, warnings }: DecodedMessage,
    earlier: EarlierHandling | null,
    come: readonly PatientIdentifier[] = [],
  ): Promise<PlannedMessage> {
    let settled: SettledIdentity = {
      ...UNSETTLED,
      accepted: [...come, ...(await this.unannounced.accepted(record))],
    };
    let hasLearned = false;
    for (;;) {
      const reading = settled;
      const authorities = await this.authorities.of(tenantOf(record));
      const mapped = await this.records.looking(tenantOf(record), (lookups) =>
        this.mapper.plan(message, header, { ...source, authorities }, timedRecords(lookups, earlier), reading, earlier),
      );
      if (!hasLearned && (earlier === null || earlier.kind === 'replayed')) {
        hasLearned = true;
        if (await this.learn(record, mapped.authorities)) continue;
      }
      const plan = { ...mapped, problems: [...warnings, ...mapped.problems] };
      const confirmsIdentity = settled.same.size > 0;
      if (mapped.conflicts.length === 0) return { plan, waits: null, confirmsIdentity };
      const found = await this.holding.lookUp(record, mapped.conflicts, settled);
      if ('waits' in found) return { plan, waits: found.waits, confirmsIdentity };
      ({ settled } = found);
    }
  }

  /** True where the table of authorities has more now, so that the message may mean something else. */
  private async learn(record: InboundRecord, said: PlanAuthorities | undefined): Promise<boolean> {
    if (said === undefined || (said.forms.length === 0 && said.facility === null)) return false;
    const tenant = tenantOf(record);
    if (said.facility !== null) await this.learned.learnFacility(tenant, said.facility);
    const by = { name: `message ${record.id}`, door: 'hl7v2' } as const;
    for (const pair of said.forms.slice(0, MOST_LEARNED)) await this.learned.learnPair(tenant, pair, by);
    return true;
  }
}
