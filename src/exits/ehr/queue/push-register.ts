import { Injectable } from '@nestjs/common';
import { EhrRegister } from '../../../core/ehrs/ehr.register.js';
import type { Ehr } from '../../../core/ehrs/ehr.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../../platform/database/statements.js';
import { toPushing, type PushingEhr } from '../settings/pushing-ehr.js';
import { EHR_QUEUE } from './ehr-queue.js';

/** An EHR that results go to, or that something waits or is held for, and whether a person holds it back. */
export interface PushStanding {
  readonly ehr: Ehr;
  readonly isPaused: boolean;
  /** False: push is switched off or taken away, and what is left waits. */
  readonly isFiledIn: boolean;
}

interface LeftRow {
  readonly id: string;
  readonly organizationId: string;
}

const PAUSED = 'select id from ehrs where push_paused';
const LEFT = `select id, organization_id as "organizationId" from ehrs where exists (select from ehr_deliveries delivery
    where delivery.ehr_id = ehrs.id and delivery.state in ('waiting', 'parked')) order by created_at, id`;
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

  /** Those of all tenants that are sent to now. For senders alone. */
  async served(): Promise<readonly PushingEhr[]> {
    const [all, paused] = await Promise.all([this.ehrs.pushing(), this.paused()]);
    return pushing(all).filter(({ id }) => !paused.has(id));
  }

  /** Of all tenants: those that results are filed in, paused ones too, and those that something waits or is held for. For operators alone. */
  async anywhere(): Promise<readonly PushStanding[]> {
    const [all, paused, { rows }] = await Promise.all([
      this.ehrs.pushing(),
      this.paused(),
      this.statements.run<LeftRow>(LEFT),
    ]);
    const sent = pushing(all);
    const left = rows.filter(({ id }) => sent.every((ehr) => ehr.id !== id));
    return [
      ...sent.map((ehr) => ({ ehr, isPaused: paused.has(ehr.id), isFiledIn: true })),
      ...(await this.registered(left)).map((ehr) => ({ ehr, isPaused: paused.has(ehr.id), isFiledIn: false })),
    ];
  }

  private async registered(left: readonly LeftRow[]): Promise<readonly Ehr[]> {
    const ids = new Set(left.map(({ id }) => id));
    const all: Ehr[] = [];
    for (const organizationId of new Set(left.map((one) => one.organizationId)))
      all.push(...(await this.ehrs.list(organizationId)));
    return all.filter(({ id }) => ids.has(id));
  }

  private async paused(): Promise<ReadonlySet<string>> {
    const { rows } = await this.statements.run<{ id: string }>(PAUSED);
    return new Set(rows.map(({ id }) => id));
  }

  /** null: there is none, or nothing is filed there, and nothing waits or is held. */
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
