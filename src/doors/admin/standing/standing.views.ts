import { z } from 'zod';
import { CONNECTION_KINDS, type Connection } from '../../../core/standing/connection.js';
import type { Finding } from '../../../core/standing/finding.js';
import type { Connections, Standing } from '../../../core/standing/standing.service.js';
import { STANDING_FAULTS, STANDING_PARTS, STANDING_STATES } from '../../../core/standing/standing-parts.js';
import { environment, id, list, moment, owner } from '../action/answer-fields.js';

const text = z.string();
const state = z
  .enum(STANDING_STATES)
  .describe(
    'broken: does not work; waiting: works, and something waits for a person; unknown: not looked at, not answered in time, or nothing proves it; well: looked at.',
  );
const fault = z.enum(STANDING_FAULTS).nullable().describe('null: nothing is wrong, or it is not known.');
const since = moment.nullable().describe('Since when; null: that is not recorded.');
const nextStep = text.nullable().describe('What to do; null: nothing.');

export const FINDING_VIEW = z.object({
  part: z.enum(STANDING_PARTS),
  state,
  fault,
  words: text,
  since,
  organizationId: id.nullable().describe('null: of the whole installation.'),
  organizationName: text.nullable(),
  environment: environment.nullable(),
  subjectKind: z.enum([...CONNECTION_KINDS, 'process']).nullable(),
  subjectId: id.nullable(),
  waiting: z.int().nullable().describe('How many wait for it to be mended, 10,000 at most; null: not counted.'),
  oldestWaitingAt: moment.nullable(),
  provenAt: moment.nullable().describe('When it was last seen to work; null: never, or that is not recorded.'),
  nextStep,
});

/** How the service stands, the worst first. */
export const STANDING_VIEW = z.object({
  at: moment,
  state: state.describe('The worst of what was found; unknown at best where something was not looked at.'),
  findings: list(FINDING_VIEW),
  unseen: list(z.enum(STANDING_PARTS)).describe(
    'Parts that you may not see, or not of every organization: what is wrong there is not among the findings.',
  ),
});

export const CONNECTION_VIEW = z.object({
  id,
  kind: z.enum(CONNECTION_KINDS),
  name: text.nullable(),
  address: text,
  ...owner,
  organizationName: text.nullable(),
  state,
  fault,
  words: text,
  since,
  lastWellAt: moment.nullable().describe('When a receiver last took something, or a message last came in.'),
  waiting: z.int().describe('10,000 at most.'),
  oldestWaitingAt: moment.nullable(),
  parked: z.int().describe('Put aside until a person decides, 10,000 at most.'),
  said: text.nullable().describe('Code of the last answer, or of what there was instead of one.'),
  certificateDays: z.int().nullable(),
  nextStep,
});

/** All ways in and out, what needs a person first. */
export const CONNECTIONS_VIEW = z.object({
  at: moment,
  connections: list(CONNECTION_VIEW).nullable().describe('null: they could not be read in time.'),
  isAllSeen: z.boolean().describe('false: there are organizations whose connections you may not see.'),
});

export type StandingView = z.output<typeof STANDING_VIEW>;
export type FindingView = z.output<typeof FINDING_VIEW>;
export type ConnectionView = z.output<typeof CONNECTION_VIEW>;
export type ConnectionsView = z.output<typeof CONNECTIONS_VIEW>;

type Names = ReadonlyMap<string, string>;

export function toStandingView({ at, findings, organizations, state: worst, unseen }: Standing): StandingView {
  return {
    at: at.toISOString(),
    state: worst,
    findings: findings.map((one) => toFindingView(one, organizations)),
    unseen,
  };
}

function toFindingView({ subject, ...found }: Finding, names: Names): FindingView {
  return {
    part: found.part,
    state: found.state,
    fault: found.fault,
    words: found.words,
    since: found.since?.toISOString() ?? null,
    organizationId: found.organizationId,
    organizationName: found.organizationId === null ? null : (names.get(found.organizationId) ?? null),
    environment: found.environment,
    subjectKind: subject?.kind ?? null,
    subjectId: subject?.id ?? null,
    waiting: found.waiting,
    oldestWaitingAt: found.oldestWaitingAt?.toISOString() ?? null,
    provenAt: found.provenAt?.toISOString() ?? null,
    nextStep: found.nextStep,
  };
}

export function toConnectionsView({ at, connections, organizations, isAllSeen }: Connections): ConnectionsView {
  return {
    at: at.toISOString(),
    connections: connections?.map((one) => toConnectionView(one, organizations)) ?? null,
    isAllSeen,
  };
}

function toConnectionView(connection: Connection, names: Names): ConnectionView {
  const { since: begun, lastWellAt, oldestWaitingAt, ...rest } = connection;
  return {
    ...rest,
    organizationName: names.get(connection.organizationId) ?? null,
    since: begun?.toISOString() ?? null,
    lastWellAt: lastWellAt?.toISOString() ?? null,
    oldestWaitingAt: oldestWaitingAt?.toISOString() ?? null,
  };
}
