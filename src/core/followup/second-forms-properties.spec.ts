import { randomNumbers } from '../../../test/support/card-scene.js';
import { drawForm, improved, photoWithForm, type Form } from '../../../test/support/drawn-forms.js';
import { seedsOf } from '../../../test/support/rounds.js';
import type { CourseReason, Domain } from './course.js';
import { isWorseDirection } from './reason-order.js';
import type { AssessmentInSeries } from './series-order.js';
import { followSeries, isWorse } from './verdict.js';

const SEEDS = seedsOf('second-forms', 300);
const ROUNDS_EACH = 5;

/** Two or three visits with forms, or without. */
interface History {
  readonly before: readonly AssessmentInSeries[];
  /** Of the visit at which two forms are filled in. */
  readonly day: number;
  readonly first: Form | null;
  readonly second: AssessmentInSeries;
  readonly nextDay: number;
  readonly next: Form | null;
}

function drawHistory(random: () => number): History {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const formOrNone = () => pick([null, drawForm(random), drawForm(random)]);
  const days = [0, 0, 0]
    .slice(0, pick([1, 2, 3]))
    .reduce<number[]>((all) => [...all, all.at(-1)! + pick([1, 3, 7])], [0]);
  const before = days.map((day) => photoWithForm(day, formOrNone()));
  // Some minutes later in the day, so that no four weeks end between two photos of the visit.
  const day = days.at(-1)! + pick([1, 3, 7, 14]) + 0.005;
  const first = formOrNone();
  const form = pick([null, first, first === null ? null : improved(first, random)]);
  // The photo of a wound that heals, and not a copy of the first.
  const second = photoWithForm(day + pick([0.01, 0.4, 0.99]), form);
  return { before, day, first, second, nextDay: day + pick([2, 7, 14]), next: formOrNone() };
}

function newestOf(all: readonly AssessmentInSeries[]) {
  const { reportId } = all.at(-1)!;
  const followed = followSeries(all);
  return { course: followed.comparisons.get(reportId)!.course!, flags: followed.flags.get(reportId)! };
}

/** Signs of no set: once a set is complete with one of them, or the change that it is was found, that tells it. */
const TELLING_SIGNS: readonly Domain[] = ['infection', 'pain', 'exudate'];

/** What the one tells against the wound and the other does not, or less. An odour may be told by its grade or as a sign. */
function keptBack(one: readonly CourseReason[], other: readonly CourseReason[]): string[] {
  const against = one.filter(({ domain, direction }) => domain !== 'area' && isWorseDirection(direction, 'reset'));
  const isTold = ({ domain, what, direction }: CourseReason) => {
    const asBad = other.filter((reason) => !isWorseDirection(direction, reason.direction));
    if (asBad.some((reason) => (domain === 'odour' ? reason.domain === 'odour' : reason.what === what))) return true;
    return what === 'signs_other' && asBad.some((reason) => TELLING_SIGNS.includes(reason.domain));
  };
  return against.filter((reason) => !isTold(reason)).map(({ direction, what }) => `${direction} ${what}`);
}

function eachHistory(seed: number, check: (history: History) => void): void {
  const random = randomNumbers(seed);
  for (let round = 0; round < ROUNDS_EACH; round++) check(drawHistory(random));
}

describe('a second photo of the day, with a form that says the same or better, or none,', () => {
  it.each(SEEDS)('tells all that the first told against the wound (seed %i)', (seed) =>
    eachHistory(seed, ({ before, day, first, second }) => {
      const atFirst = newestOf([...before, photoWithForm(day, first)]);
      const then = newestOf([...before, photoWithForm(day, first), second]);
      expect(keptBack(atFirst.course.because, then.course.because)).toEqual([]);
      expect(isWorse(then.course) || !isWorse(atFirst.course)).toBe(true);
      const isRising = atFirst.flags.some(({ code }) => code === 'necrosis_rising');
      expect(then.course.verdict === 'improving' && isRising).toBe(false);
    }),
  );

  it.each(SEEDS)('leaves the next visit told as if there were the first alone, or worse (seed %i)', (seed) =>
    eachHistory(seed, ({ before, day, first, second, nextDay, next }) => {
      const visits = [...before, photoWithForm(day, first)];
      for (const form of [null, next]) {
        const alone = newestOf([...visits, photoWithForm(nextDay, form)]).course.because;
        const both = newestOf([...visits, second, photoWithForm(nextDay, form)]).course.because;
        expect(keptBack(alone, both)).toEqual([]);
      }
    }),
  );
});

describe('the same two forms at each visit', () => {
  it.each(SEEDS)('are not worse from the third visit on (seed %i)', (seed) => {
    const random = randomNumbers(seed);
    for (let round = 0; round < ROUNDS_EACH; round++) {
      const [one, other] = [drawForm(random), drawForm(random)];
      const forms = random() < 0.5 ? [one, other] : [one, improved(one, random)];
      const visits = Array.from({ length: 5 }, (_, week) =>
        forms.map((form, place) => photoWithForm(7 * week + 0.02 * place, form)),
      ).flat();
      const { comparisons } = followSeries(visits);
      const later = visits.slice(2 * forms.length).map(({ reportId }) => comparisons.get(reportId)!.course!);
      const worse = later.flatMap(({ because }) => because.filter(({ direction }) => direction === 'worse'));
      expect(worse.map(({ what }) => what)).toEqual([]);
    }
  });
});
