import { DOMAINS, type CourseReason, type Direction } from './course.js';

const ORDER: readonly Direction[] = ['worse', 'persists', 'reset', 'better'];

/** Whether the one tells more against the wound than the other; of what is told of different things, too. */
export function isWorseDirection(one: Direction, other: Direction): boolean {
  return ORDER.indexOf(one) < ORDER.indexOf(other);
}

/** Of one thing what tells the worse of it; the wound's own word where both tell the same. */
export function worseOfEach(own: readonly CourseReason[], others: readonly CourseReason[]): CourseReason[] {
  const isWorseThan = (one: CourseReason, other: CourseReason) =>
    one.what === other.what && isWorseDirection(one.direction, other.direction);
  return [
    ...own.filter((reason) => !others.some((other) => isWorseThan(other, reason))),
    ...others.filter((reason) => own.every((one) => one.what !== reason.what || isWorseThan(reason, one))),
  ];
}

/** Worse first, then what persists, then what a treatment changed, then better; within these in the order of domains. */
export function inOrderOfTelling(reasons: readonly CourseReason[]): CourseReason[] {
  return [...reasons].sort(
    (a, b) =>
      ORDER.indexOf(a.direction) - ORDER.indexOf(b.direction) || DOMAINS.indexOf(a.domain) - DOMAINS.indexOf(b.domain),
  );
}
