import { Injectable } from '@nestjs/common';
import { EhrRegister } from '../../../core/ehrs/ehr.register.js';
import type { Ehr } from '../../../core/ehrs/ehr.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../../platform/database/statements.js';
import { toPushing, type PushingEhr } from '../settings/pushing-ehr.js';
import { EHR_QUEUE } from './ehr-queue.js';

/** An EHR that results go to, and whether a person holds them back. */
export interface PushStanding {
  readonly ehr: PushingEhr;
  readonly isPaused: boolean;
}

const PAUSED = 'select id from ehrs where push_paused';
const PAUSE = 'update ehrs set push_paused = $2 where id = $1';
const WAKE = `update ehr_deliveries set next_at = sutura_now(), failures = 0 where ehr_id = $1 and state = 'waiting'`;

/** EHRs as this exit sees them. */
@Injectable()
export class PushRegister {
  constructor(
    private readonly ehrs: EhrRegister,
    private readonly statements: SystemStatements,
  ) {}

  /** Those too that nothing new is filed in, in the order of their ids. */
  async ofTenant({ organizationId, environment }: Tenant): Promise<readonly Ehr[]> {
    const all = await this.ehrs.list(organizationId, environment);
    return [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Of all tenants, paused ones too. For senders and operators alone. */
  async anywhere(): Promise<readonly PushStanding[]> {
    const [all, { rows }] = await Promise.all([this.ehrs.pushing(), this.statements.run<{ id: string }>(PAUSED)]);
    const paused = new Set(rows.map(({ id }) => id));
    return pushing(all).map((ehr) => ({ ehr, isPaused: paused.has(ehr.id) }));
  }

  /** null: there is none, or nothing is filed there. */
  async find(id: string): Promise<PushStanding | null> {
    if (!isCanonicalUuid(id)) return null;
    return (await this.anywhere()).find(({ ehr }) => ehr.id === id) ?? null;
  }

  /** Deliveries are made and wait. */
  async pause(id: string): Promise<void> {
    await this.statements.run(PAUSE, [id, true]);
    await this.notify();
  }

  /** What waits is sent. */
  async resume(id: string): Promise<void> {
    await this.statements.run(PAUSE, [id, false]);
    await this.statements.run(WAKE, [id]);
    await this.notify();
  }

  /** Senders look at once which EHRs there are. */
  private async notify(): Promise<void> {
    await this.statements.run('select pg_notify($1, $2)', [EHR_QUEUE.channel, '']);
  }
}

function pushing(ehrs: readonly Ehr[]): readonly PushingEhr[] {
  return ehrs.flatMap((ehr) => toPushing(ehr) ?? []);
}
