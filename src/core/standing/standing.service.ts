import type { Clock } from '../ports/clock.js';
import { mayAct, type HeldRights, type Role } from '../tenancy/roles.js';
import { listenerConnection, receiverConnection, type Connection } from './connection.js';
import { worstOf, type Finding } from './finding.js';
import { certificateFindings, listenerFindings } from './listener-findings.js';
import { receiverFindings } from './receiver-findings.js';
import { databaseFindings, installationFindings } from './service-findings.js';
import type { ServiceFacts, StandingFacts } from './standing-facts.js';
import { INSTALLATION_PARTS, STANDING_STATES, type StandingPart, type StandingState } from './standing-parts.js';
import {
  heldFindings,
  jobFindings,
  messageFindings,
  queueFindings,
  quotaFindings,
  workerFindings,
} from './work-findings.js';

/** How the service stands, for one person. */
export interface Standing {
  readonly at: Date;
  /** The worst of what was found; never `well` where something was not looked at. */
  readonly state: StandingState;
  /** The worst first, then the oldest. */
  readonly findings: readonly Finding[];
  /** Parts that the person may not see, or not of every organization; what is wrong there is not among the findings. */
  readonly unseen: readonly StandingPart[];
  readonly organizations: ReadonlyMap<string, string>;
}

/** The connections that a person may see. */
export interface Connections {
  readonly at: Date;
  /** What needs a person first; null: they could not be read in time. */
  readonly connections: readonly Connection[] | null;
  readonly organizations: ReadonlyMap<string, string>;
  /** There may be others, of organizations that the person has no role in. */
  readonly isAllSeen: boolean;
}

/** Parts that concern single organizations, with the role that their facts need there. */
const ROLE_OF: Partial<Readonly<Record<StandingPart, Role>>> = {
  receivers: 'viewer',
  listeners: 'viewer',
  certificates: 'viewer',
  held: 'viewer',
  quota: 'viewer',
  messages: 'integrator',
  jobs: 'integrator',
};

/** Whether everything works: what is broken, what waits, and what was seen to work; for each person what they may see. */
export class StandingService {
  /** `clock`: for when that of the database cannot be read. */
  constructor(
    private readonly facts: StandingFacts,
    private readonly clock: Clock,
  ) {}

  /** `rights` undefined: the operator of the machine, who may see everything. */
  async read(rights: HeldRights | undefined): Promise<Standing> {
    const gathered = await this.facts.gather();
    const now = gathered.now ?? this.clock.now();
    const isAll = rights?.isInstallationAdmin ?? true;
    const mine = reportable(seenBy(gathered, rights));
    const unseen = isAll ? [] : unseenBy(gathered, rights!);
    const all = [
      ...databaseFindings(mine.isReadOnly, now),
      ...receiverFindings(mine.receivers, now),
      ...listenerFindings(mine.listeners),
      ...certificateFindings(mine, now, isAll),
      ...queueFindings(mine.work, now, isAll),
      ...workerFindings(mine.processes, now),
      ...(isAll ? installationFindings(mine.processes, now) : []),
      ...messageFindings(mine.messages, now),
      ...heldFindings(mine.held, now),
      ...jobFindings(mine.failedJobs, now),
      ...quotaFindings(mine.quotas, now),
    ]
      .filter(({ part, state }) => state !== 'well' || !isUnseenWholly(part, rights))
      .map((one) =>
        one.state === 'well' && unseen.includes(one.part)
          ? { ...one, words: `${one.words} (of what you may see)` }
          : one,
      );
    const worst = worstOf(all);
    return {
      at: now,
      state: worst === 'well' && unseen.length > 0 ? 'unknown' : worst,
      findings: worstFirst(all),
      unseen,
      organizations: gathered.organizations ?? new Map(),
    };
  }

  /** For the board of connections. */
  async connections(rights: HeldRights | undefined): Promise<Connections> {
    const gathered = await this.facts.gather();
    const now = gathered.now ?? this.clock.now();
    const { receivers, listeners, processes, isReadOnly } = seenBy(gathered, rights);
    return {
      at: now,
      connections:
        receivers === null || listeners === null
          ? null
          : worstFirst([
              ...listeners.map((one) => listenerConnection(one, now, isReadOnly === true)),
              ...receivers.map((one) => receiverConnection(one, processes, now)),
            ]),
      organizations: gathered.organizations ?? new Map(),
      isAllSeen: (rights?.isInstallationAdmin ?? true) || !unseenBy(gathered, rights!).includes('receivers'),
    };
  }
}

/** What processes report by writing is not known while the database takes no writes: silence then says nothing of them. */
function reportable(facts: ServiceFacts): ServiceFacts {
  return facts.isReadOnly === true ? { ...facts, processes: null, listeners: null } : facts;
}

function seenBy(gathered: ServiceFacts, rights: HeldRights | undefined): ServiceFacts {
  if (rights === undefined || rights.isInstallationAdmin) return gathered;
  const of = <T extends { readonly organizationId: string }>(facts: readonly T[] | null, part: StandingPart) =>
    facts?.filter(({ organizationId }) => mayAct(rights, ROLE_OF[part]!, organizationId)) ?? null;
  return {
    ...gathered,
    receivers: of(gathered.receivers, 'receivers'),
    listeners: of(gathered.listeners, 'listeners'),
    held: of(gathered.held, 'held'),
    quotas: of(gathered.quotas, 'quota'),
    messages: of(gathered.messages, 'messages'),
    failedJobs: of(gathered.failedJobs, 'jobs'),
  };
}

/** Nobody's facts of the part are shown to them, so that none is no news. */
function isUnseenWholly(part: StandingPart, rights: HeldRights | undefined): boolean {
  const role = ROLE_OF[part];
  if (rights === undefined || rights.isInstallationAdmin || role === undefined) return false;
  return !rights.roles.some(({ organizationId }) => mayAct(rights, role, organizationId));
}

/** Other organizations are told of where there are some: not which, nor how many. */
function unseenBy({ organizations }: ServiceFacts, rights: HeldRights): StandingPart[] {
  const ids = organizations === null ? null : [...organizations.keys()];
  const ofOrganizations = (Object.entries(ROLE_OF) as [StandingPart, Role][])
    .filter(([, role]) => ids === null || ids.some((id) => !mayAct(rights, role, id)))
    .map(([part]) => part);
  return [...INSTALLATION_PARTS, ...ofOrganizations];
}

function worstFirst<One extends Pick<Finding, 'state' | 'since'>>(all: readonly One[]): One[] {
  const place = ({ state }: One): number => STANDING_STATES.indexOf(state);
  const begun = ({ since }: One): number => since?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return [...all].sort((a, b) => place(a) - place(b) || begun(a) - begun(b));
}
