import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { AuthorityDirectory } from '../../../../core/patients/authority-table.js';
import { applicationCodeOf } from '../../../hl7v2/ack/acknowledgment-code.js';
import { acknowledgmentModeOf } from '../../../hl7v2/ack/acknowledgment-mode.js';
import { inTurns } from '../../../../platform/turns/turns.js';
import { decodingMessage, type DecodedMessage } from '../../../../standards/hl7v2/er7/decode-message.js';
import { sourceOf } from '../../../hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../../../hl7v2/inbox/listeners/listener.repository.js';
import { receiptProblems } from '../../../hl7v2/mapping/header-check.js';
import {
  askedProblems,
  heldProblems,
  isToBeAsked,
  isToBeHeld,
  isToWait,
  waitingProblems,
} from '../../../hl7v2/mapping/held-plan.js';
import { InboundMapper } from '../../../hl7v2/mapping/inbound-mapper.js';
import { messageKindOf } from '../../../hl7v2/mapping/message-kinds.js';
import { translationsOf, type Translation } from '../../../hl7v2/mapping/reading/code-maps.js';
import type { InboundPlan } from '../../../hl7v2/mapping/plan/inbound-plan.js';
import type { Hl7Source } from '../../../hl7v2/mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { ClinicalRecords, type RecordLookups } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { DryRunView } from './dry-run.views.js';

/** Maps a message, as if it came to a listener, without applying it. */
@Injectable()
export class MessageDryRun {
  constructor(
    private readonly mapper: InboundMapper,
    private readonly listeners: ListenerRepository,
    private readonly records: ClinicalRecords,
    private readonly authorities: AuthorityDirectory,
  ) {}

  /** `hl7.listener_not_found`, `hl7.unreadable`, `fhir.preparing`. */
  async run(bytes: Uint8Array, listenerId: string): Promise<DryRunView> {
    const listener = await this.listeners.find(listenerId);
    if (listener === null) throw new SuturaError('hl7.listener_not_found');
    const source = { ...sourceOf(listener), authorities: await this.authorities.of(listener) };
    const decoded = await inTurns(decodingMessage(bytes, { characterSet: source.characterSet }));
    if (decoded.kind === 'undecodable') {
      if (decoded.header === null) throw new SuturaError('hl7.unreadable');
      const { header, outcome, problem } = decoded;
      return {
        ...headOf(header, source),
        acknowledgment: outcome,
        problems: [problem],
        effects: ['The message is kept and refused.'],
        bundle: null,
      };
    }
    await this.records.require(source);
    const plan = await this.records.looking(source, async (lookups) => this.planOf(decoded, source, lookups));
    const problems = [...decoded.warnings, ...plan.problems];
    const head = headOf(decoded.header, source);
    const waiting = waitingOf(head.kind, plan, source, problems);
    if (waiting !== null) return { ...head, ...waiting, bundle: null };
    const acknowledgment = applicationCodeOf(problems);
    const isTaken = acknowledgment === 'AA';
    return {
      ...head,
      acknowledgment,
      problems,
      effects: [
        ...translationsOf(decoded.message, source.codes).map(inWords),
        ...(isTaken ? effectsOf(plan) : ['The message is kept and refused.']),
      ],
      bundle: isTaken ? plan.bundle : null,
    };
  }

  private planOf(
    { message, header }: DecodedMessage,
    source: Hl7Source,
    records: RecordLookups,
  ): Promise<InboundPlan> | InboundPlan {
    const problems = receiptProblems(message, header, source);
    return problems.length > 0
      ? {
          bundle: null,
          places: [],
          joins: [],
          waitingOrders: [],
          newPhotos: [],
          newOrders: [],
          conflicts: [],
          problems,
          orders: [],
        }
      : this.mapper.plan(message, header, source, records);
  }
}

/** What is said of a message that does nothing of itself: an answer, or one that waits for a person; null: it is carried out. */
function waitingOf(
  kind: DryRunView['kind'],
  plan: InboundPlan,
  source: Hl7Source,
  problems: readonly Hl7Problem[],
): Pick<DryRunView, 'acknowledgment' | 'problems' | 'effects'> | null {
  if (kind === 'answer')
    return {
      acknowledgment: null,
      problems: [],
      effects: ['It is matched to the message of ours that it acknowledges.'],
    };
  if (isToBeHeld(plan, source))
    return {
      acknowledgment: 'AA',
      problems: heldProblems(problems, null),
      effects: ['The message is held until a person has decided who is meant, or goes where they decided before.'],
    };
  if (isToBeAsked(plan))
    return {
      acknowledgment: 'AA',
      problems: askedProblems(problems, null),
      effects: ['The message is held until a person has decided whose the numbers of its facility are.'],
    };
  if (isToWait(plan))
    return {
      acknowledgment: 'AA',
      problems: waitingProblems(problems, null),
      effects: ['The message is held until somebody announces its patient, or a person has decided.'],
    };
  return null;
}

function headOf(
  header: DecodedMessage['header'],
  source: Hl7Source,
): Pick<DryRunView, 'messageType' | 'controlId' | 'kind' | 'mode'> {
  const messageType = [header.messageCode, header.triggerEvent].filter((part) => part !== '').join('^');
  return {
    messageType,
    controlId: header.controlId,
    kind: messageKindOf(header),
    mode: acknowledgmentModeOf(header, source.acknowledgment).kind,
  };
}

function inWords({ segment, sequence, field, sent, read }: Translation): string {
  return `${segment} ${sequence}, field ${field}: ${sent} is read as ${read}.`;
}

function effectsOf({ bundle, joins, orders }: InboundPlan): string[] {
  const entries = (bundle?.entry ?? []).map(({ request, resource }) => {
    const type = resource?.resourceType ?? request?.url?.split(/[/?]/)[0] ?? 'resource';
    return `${request?.method ?? 'POST'} ${type}${request?.ifNoneExist === undefined ? '' : ', unless there is one with the same identifier'}`;
  });
  const told = [
    ...joins.map(() => 'Two patient records are joined.'),
    ...orders.map(({ action }) => `Order: ${action.kind} (ORC-1 ${action.control === '' ? 'empty' : action.control}).`),
    ...entries,
  ];
  return told.length === 0 ? ['The message is kept and changes nothing.'] : told;
}
