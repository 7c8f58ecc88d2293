import { Injectable } from '@nestjs/common';
import { CLOCK_SETTLES_MS, SandboxClocks, type KeptClock } from '../../core/organizations/sandbox-clock.js';
import { ClinicalClock } from '../../core/ports/clinical-clock.js';
import { Clock } from '../../core/ports/clock.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { ClinicalTimeline, REAL_TIME, type ClockMove } from '../../core/times/clinical-timeline.js';
import { readTwice, SystemStatements, toJsonb, type Statements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** As they are kept, oldest first. */
type KeptMoves = readonly { readonly at: number; readonly aheadMs: number }[];

const MOVES = 'select moves from sandbox_clocks where organization_id = $1 and environment = $2';
const STANDING = `select sutura_now() as "realNow", coalesce((${MOVES}), '[]') as moves`;
const BEGIN = `insert into sandbox_clocks (organization_id, environment, moves) values ($1, $2, '[]') on conflict do nothing`;
const LOCK = `${MOVES} for update`;
const MOVE = 'update sandbox_clocks set moves = moves || $3::jsonb where organization_id = $1 and environment = $2';
/** They are kept in real time: what passed on the clock is taken off what they have left. */
const SHORTEN_LINKS = `update review_links set expires_at = expires_at - make_interval(secs => $3), used_at = used_at - make_interval(secs => $3)
  where organization_id = $1 and environment = $2`;
const MOST_KNOWN = 1000;

const ofTenant = ({ organizationId, environment }: Tenant): readonly [string, string] => [organizationId, environment];

function toMoves(kept: KeptMoves): ClockMove[] {
  return kept.map(({ at, aheadMs }) => ({ at: new Date(at), aheadMs }));
}

interface Known {
  readonly timeline: ClinicalTimeline;
  readonly until: number;
}

/**
 * Reads how far ahead a test environment is, at most once in CLOCK_SETTLES_MS for each; who moves a clock is answered after that, so that every process
 * goes by it then. Nothing is read for live.
 */
@Injectable()
export class SqlClinicalClock extends ClinicalClock {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly clock: Clock,
    private readonly statements: SystemStatements,
  ) {
    super();
  }

  realNow(): Date {
    return this.clock.now();
  }

  async now(transaction: TenantTransaction): Promise<Date> {
    return this.nowBy(await this.timeline(transaction));
  }

  async nowOf(tenant: Tenant): Promise<Date> {
    return this.nowBy(await this.timelineOf(tenant));
  }

  timeline(transaction: TenantTransaction): Promise<ClinicalTimeline> {
    return this.read(transaction.tenant, statementsOf(transaction));
  }

  timelineOf(tenant: Tenant): Promise<ClinicalTimeline> {
    return readTwice(() => this.read(tenant, this.statements));
  }

  /** This process's clock may be behind the database's, by which moves are kept: what was moved last counts. */
  private nowBy({ aheadMs }: ClinicalTimeline): Date {
    return new Date(this.realNow().getTime() + aheadMs);
  }

  private async read(tenant: Tenant, statements: Pick<Statements, 'runPrepared'>): Promise<ClinicalTimeline> {
    if (tenant.environment === 'live') return REAL_TIME;
    const known = this.known.get(tenant.organizationId);
    if (known !== undefined && performance.now() < known.until) return known.timeline;
    const until = performance.now() + CLOCK_SETTLES_MS;
    const { rows } = await statements.runPrepared<{ readonly moves: KeptMoves }>(MOVES, ofTenant(tenant));
    const timeline = rows[0] === undefined ? REAL_TIME : new ClinicalTimeline(toMoves(rows[0].moves));
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.set(tenant.organizationId, { timeline, until });
    return timeline;
  }
}

@Injectable()
export class SqlSandboxClocks extends SandboxClocks {
  async read(transaction: TenantTransaction): Promise<KeptClock> {
    const { rows } = await statementsOf(transaction).run<{ readonly realNow: Date; readonly moves: KeptMoves }>(
      STANDING,
      ofTenant(transaction.tenant),
    );
    return { realNow: rows[0]!.realNow, moves: toMoves(rows[0]!.moves) };
  }

  async lock(transaction: TenantTransaction): Promise<KeptClock> {
    const [statements, tenant] = [statementsOf(transaction), ofTenant(transaction.tenant)];
    await statements.run(BEGIN, tenant);
    await statements.run(LOCK, tenant);
    // Read by a statement of its own, which sees what the one that held the lock before has written.
    return this.read(transaction);
  }

  async move(transaction: TenantTransaction, { at, aheadMs }: ClockMove, stepMs: number): Promise<void> {
    const [statements, tenant] = [statementsOf(transaction), ofTenant(transaction.tenant)];
    await statements.run(MOVE, [...tenant, toJsonb([{ at: at.getTime(), aheadMs }])]);
    await statements.run(SHORTEN_LINKS, [...tenant, stepMs / 1000]);
  }
}
