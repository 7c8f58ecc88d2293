import { deniesInfection, saysInfection } from './infection-signs.js';
import { isOfOneVisit } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';

/**
 * The same without the words that there is no sign of infection, where another form of that visit says that there is one: of one visit the worse counts,
 * and a denial that is not true as a whole takes nothing of the weeks before back either.
 * @param all oldest first
 */
export function withoutContradictedDenials(all: readonly AssessmentInSeries[]): readonly AssessmentInSeries[] {
  const places = [...all.keys()];
  const denials = places.filter((place) => deniesInfection(all[place]!.observations));
  if (denials.length === 0) return all;
  // "None" beside a coded sign, in one form, denies the other signs.
  const sayings = places.filter((place) => !denials.includes(place) && saysInfection(all[place]!.observations));
  const areOfOneVisit = (one: number, other: number) =>
    one !== other && isOfOneVisit(all[Math.min(one, other)]!, all[Math.max(one, other)]!);
  const contradicted = new Set(denials.filter((denial) => sayings.some((saying) => areOfOneVisit(denial, saying))));
  return contradicted.size === 0 ? all : all.map((at, place) => (contradicted.has(place) ? withoutWords(at) : at));
}

function withoutWords(at: AssessmentInSeries): AssessmentInSeries {
  return { ...at, observations: { ...at.observations, infectionSigns: undefined } };
}
