import { peekHeader } from '../../../../standards/hl7v2/er7/message-header.js';
import { messageNumbers } from '../../../../standards/hl7v2/er7/message-numbers.js';
import { messageKindOf } from '../../mapping/message-kinds.js';
import type { HeldMessage } from '../store/inbound-record.js';

/** Messages that are processed one after another. */
export type Lane = readonly HeldMessage[];

/** An announcement, with every number of its patient. */
interface Announcement {
  readonly message: HeldMessage;
  readonly numbers: readonly string[];
}

/** With more numbers than these, some may not have been read (MessageNumbers). */
const MOST_NUMBERS = 64;

/**
 * Parts of a run of messages in the order of their receipt. The parts are processed one after another, the lanes of a part at once: an announcement
 * of a patient (ADT^A08 and the like) waits for those before it that have any number in common, however its authority is written. Every other
 * message, and one whose numbers cannot be read, is a part of its own, since what follows may rest on it.
 */
export function lanesOf(messages: readonly HeldMessage[]): readonly (readonly Lane[])[] {
  const parts: (readonly Lane[])[] = [];
  let run: Announcement[] = [];
  const endRun = (): void => {
    if (run.length > 0) parts.push(lanesOfPatients(run));
    run = [];
  };
  for (const message of messages) {
    const numbers = numbersOf(message);
    if (numbers !== null) run.push({ message, numbers });
    else {
      endRun();
      parts.push([[message]]);
    }
  }
  endRun();
  return parts;
}

/** null: no announcement, or one whose numbers are not all known. */
function numbersOf({ bytes }: HeldMessage): readonly string[] | null {
  const header = peekHeader(bytes)?.header;
  if (header === undefined || messageKindOf(header) !== 'patient') return null;
  const { patients } = messageNumbers(bytes);
  return patients.length === 0 || patients.length >= MOST_NUMBERS ? null : patients;
}

/** One lane for all that hang together by their numbers. */
function lanesOfPatients(run: readonly Announcement[]): Lane[] {
  const lanes = new Map<number, HeldMessage[]>();
  const laneOf = joinedBy(run.map(({ numbers }) => numbers));
  run.forEach(({ message }, at) => {
    const lane = lanes.get(laneOf(at)) ?? [];
    lanes.set(laneOf(at), lane);
    lane.push(message);
  });
  return [...lanes.values()];
}

/** The first of those that each one hangs together with, itself included, directly or by others. */
function joinedBy(lists: readonly (readonly string[])[]): (at: number) => number {
  const before = lists.map((_, at) => at);
  const firstOf = (at: number): number => (before[at] === at ? at : firstOf(before[at]!));
  const byNumber = new Map<string, number>();
  lists.forEach((numbers, at) => {
    for (const number of numbers) {
      const [one, other] = [firstOf(byNumber.get(number) ?? at), firstOf(at)];
      before[Math.max(one, other)] = Math.min(one, other);
      byNumber.set(number, at);
    }
  });
  return firstOf;
}
