import { isSuturaError } from '../../../../core/errors/sutura-error.js';
import { problemsOf } from '../../ack/record-faults.js';
import type { InboundPlan } from '../../mapping/plan/inbound-plan.js';
import { isOvertaken } from './processing-rules.js';
import type { Hl7Problem, ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { warned } from '../../../../standards/hl7v2/problems/problem-catalogue.js';

const PROCEDURE = 'PR1';
/** Procedures that are left out one by one; then all are. */
const MOST_TRIES = 3;
const LEFT_OUT = 'What was done was not recorded; the rest of the message was taken.';
const NO_RIGHT = 'What was done to a wound is stated with a key that has analysis:review.';
const TOO_MANY = 'The message is too large with its PR1, and so none was read.';
const ANOTHER = 'Several PR1 of the message were refused, and so none was read.';

/**
 * Carries a plan out, without what a PR1 of it says where the record refuses that: it never refuses the photo or order that it stands beside.
 *
 * @param mayReview Whether the sender may say what people did to wounds.
 * @param isLast Whether a plan that was overtaken by another message is not made again.
 * @param apply Carries a plan out, whole or not at all.
 * @param refused What becomes of any other fault, and of the plan that had it.
 */
export async function applyWithoutRefusedProcedures<T>(
  plan: InboundPlan,
  { mayReview, isLast }: { readonly mayReview: boolean; readonly isLast: boolean },
  apply: (plan: InboundPlan) => Promise<T>,
  refused: (fault: unknown, plan: InboundPlan) => T | Promise<T>,
): Promise<T> {
  let taken = mayReview
    ? plan
    : withoutProcedures(plan, new Map(proceduresOf(plan).map((place) => [keyOf(place), NO_RIGHT])));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply(taken);
    } catch (fault) {
      if (isTooLarge(fault) && proceduresOf(taken).length > 0)
        return applyWithoutProcedures(taken, apply, (remaining, bare) =>
          refused(remaining, isTooLarge(remaining) ? taken : bare),
        );
      const faults = isOvertaken(fault) && !isLast ? null : faultsOfProcedures(fault, taken);
      if (faults === null) return refused(fault, taken);
      const others = attempt < MOST_TRIES ? [] : proceduresOf(taken).map((place) => [keyOf(place), ANOTHER] as const);
      taken = withoutProcedures(taken, new Map([...others, ...faults]));
    }
  }
}

/** What a plan has beside its procedures; where that is too large by itself, they had no part in it. */
async function applyWithoutProcedures<T>(
  plan: InboundPlan,
  apply: (plan: InboundPlan) => Promise<T>,
  refused: (fault: unknown, bare: InboundPlan) => T | Promise<T>,
): Promise<T> {
  const bare = withoutProcedures(plan, new Map(proceduresOf(plan).map((place) => [keyOf(place), TOO_MANY])));
  try {
    return await apply(bare);
  } catch (fault) {
    return refused(fault, bare);
  }
}

function isTooLarge(fault: unknown): boolean {
  return isSuturaError(fault, 'request.too_large');
}

/** The reasons by PR1; null: the fault is of something else as well. */
function faultsOfProcedures(fault: unknown, plan: InboundPlan): ReadonlyMap<string, string> | null {
  const own = new Set(proceduresOf(plan).map(keyOf));
  const problems: readonly Hl7Problem[] = problemsOf(fault, plan.places);
  const reasons = problems.map(({ place, text }) => [keyOf(place), text] as const);
  return reasons.length > 0 && reasons.every(([key]) => own.has(key)) ? new Map(reasons) : null;
}

function proceduresOf({ places }: InboundPlan): ProblemPlace[] {
  return places.filter((place) => place !== null).filter(({ segment }) => segment === PROCEDURE);
}

function keyOf(place: ProblemPlace | null): string {
  return place === null ? '' : `${place.segment} ${place.sequence}`;
}

/** Nothing else of a plan refers to what a PR1 made. */
function withoutProcedures(plan: InboundPlan, reasons: ReadonlyMap<string, string>): InboundPlan {
  if (reasons.size === 0 || plan.bundle === null) return plan;
  const isKept = plan.places.map((place) => !reasons.has(keyOf(place)));
  const places = plan.places.filter((_, index) => isKept[index]);
  const entry = (plan.bundle.entry ?? []).filter((_, index) => isKept[index]);
  const movedTo = (index: number): number => isKept.slice(0, index).filter(Boolean).length;
  const left = proceduresOf(plan).filter((place) => reasons.has(keyOf(place)));
  return {
    ...plan,
    bundle: entry.length === 0 ? null : { ...plan.bundle, entry },
    places,
    orders: plan.orders.map((order) => (order.entry === null ? order : { ...order, entry: movedTo(order.entry) })),
    problems: [
      ...plan.problems,
      ...left.map((place) => warned('finding.kept', place, `${reasons.get(keyOf(place)) ?? ''} ${LEFT_OUT}`)),
    ],
  };
}
