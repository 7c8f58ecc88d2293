import type { Provider } from '@nestjs/common';
import { InboundMapper } from './inbound-mapper.js';

export { headerProblems, receiptProblems } from './header-check.js';
export { InboundMapper } from './inbound-mapper.js';
export type { RecordLookups } from './reading/message-reading.js';
export { asksInVain, isAccepted, messageKindOf, type MessageKind } from './message-kinds.js';
export { PROBLEM_CATALOGUE, refused, warned, type ProblemCode } from '../problems/problem-catalogue.js';
export type { Hl7Problem, ProblemPlace } from '../problems/hl7-problem.js';
export type { Hl7Source } from './reading/hl7-source.js';
export type { InboundPlan, OrderAction, OrderEcho } from './plan/inbound-plan.js';

/** What the module of the door provides of this folder. */
export const HL7_INBOUND_PROVIDERS: Provider[] = [InboundMapper];
