import type { AppliedBundle } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { OrderAnswer } from '../../ack/order-answers.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';

/** What a message asked for, and what came of it. */
interface Effect {
  readonly plan?: InboundPlan;
  readonly applied?: AppliedBundle;
}

/** Photos that the message named by URL: a Media has the id of its image. */
export function pointedImagesOf({ plan, applied }: Effect): string[] {
  return (plan?.bundle?.entry ?? []).flatMap(({ resource }, index) => {
    const [type, id] = (applied?.references[index] ?? '').split('/');
    return resource?.resourceType === 'Media' &&
      resource.content.url?.startsWith('https:') === true &&
      type === 'Media' &&
      id !== undefined
      ? [id]
      : [];
  });
}

/** The answer to each order in a typed response. */
export function answersOf({ plan, applied }: Effect): OrderAnswer[] {
  return (plan?.orders ?? []).map(({ action, received, entry }) => ({
    action,
    received,
    fillerId: applied === undefined ? null : (analysesOf(plan!, applied, entry).at(-1) ?? null),
  }));
}

/** Oldest first. A group without an order of its own, such as results, has the analyses of the message's photos. */
export function analysesOf(plan: InboundPlan, applied: AppliedBundle, entry: number | null): readonly string[] {
  if (entry !== null) return applied.analysesOfEntries[entry] ?? [];
  return plan.orders.length === 1 ? applied.analysisIds : [];
}
