import type { Caller } from '../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../src/doors/fhir/records/fhir-records.js';
import { problemsOf } from '../../src/doors/hl7v2/ack/record-faults.js';
import type { Hl7Source } from '../../src/doors/hl7v2/mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../src/standards/hl7v2/problems/hl7-problem.js';
import { applyWithoutRefusedProcedures } from '../../src/doors/hl7v2/inbox/processing/refused-procedures.js';
import type { InboundPlan } from '../../src/doors/hl7v2/mapping/plan/inbound-plan.js';
import { hl7SourceOf, judgeHl7 } from './hl7-inbound.js';
import type { IntakeGround } from './intake-ground.js';

/** A message taken as the door takes it. The errors that refuse it; where it is taken, its warnings. */
export async function applyMessage(
  ground: IntakeGround,
  caller: Caller,
  message: Uint8Array | string,
  settings: Partial<Hl7Source> = {},
): Promise<readonly Hl7Problem[]> {
  return (await planMessage(ground, caller, message, settings))();
}

/** Messages that were all read before any of them was written, as those are that come at the same moment. */
export async function applyAtOnce(
  ground: IntakeGround,
  caller: Caller,
  messages: readonly string[],
): Promise<(readonly Hl7Problem[])[]> {
  const planned = await Promise.all(messages.map((message) => planMessage(ground, caller, message)));
  return Promise.all(planned.map((apply) => apply()));
}

/** The message read against the records; what it answers writes it. */
async function planMessage(
  ground: IntakeGround,
  caller: Caller,
  message: Uint8Array | string,
  settings: Partial<Hl7Source> = {},
): Promise<() => Promise<readonly Hl7Problem[]>> {
  const records = ground.get(FhirRecords);
  const source = hl7SourceOf({ ...settings, organizationId: caller.organizationId, environment: caller.environment });
  const { plan, problems } = await judgeHl7(Buffer.from(message as string), source, records);
  if (plan.bundle === null && plan.joins.length === 0) return () => Promise.resolve(problems);
  const apply = (taken: InboundPlan) => {
    if (taken.bundle === null && taken.joins.length === 0) return Promise.resolve(taken.problems);
    const bundle = taken.bundle ?? { resourceType: 'Bundle' as const, type: 'transaction' as const };
    const options = {
      requestId: 'm-1',
      quota: 'wait' as const,
      joins: taken.joins,
      waitingOrders: taken.waitingOrders,
      newPhotos: taken.newPhotos,
      newOrders: taken.newOrders,
      within: () => Promise.resolve(),
    };
    return records
      .apply(caller, bundle, options)
      .then(() => [...problems, ...taken.problems.slice(plan.problems.length)]);
  };
  const sender = { mayReview: caller.scopes.includes('analysis:review'), isLast: false };
  return () => applyWithoutRefusedProcedures(plan, sender, apply, (fault, taken) => problemsOf(fault, taken.places));
}

/** An order or an announcement with its segments behind MSH. */
export function er7(type: string, ...segments: string[]): string {
  return [
    `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||${type}|M-1|T|2.5.1|||||DEU|UNICODE UTF-8`,
    ...segments,
    '',
  ].join('\r');
}
