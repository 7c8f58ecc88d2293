import type { Er7Message, Er7Segment } from '../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Problem } from '../../../standards/hl7v2/problems/hl7-problem.js';
import { refused, warned } from '../../../standards/hl7v2/problems/problem-catalogue.js';
import type { MessageKind } from './message-kinds.js';
import { placeIn } from './reading/message-reading.js';

/** Segments that a message of the kind has once, since its planner reads the first alone. */
const ONCE: Readonly<Partial<Record<MessageKind, readonly string[]>>> = {
  patient: ['PID'],
  document: ['PID', 'TXA'],
  document_cancel: ['TXA'],
};

/** The problems of segments that would be passed over behind the first of their kind: the message is refused whole. */
export function repeatedSegments({ segments }: Er7Message, kind: MessageKind): Hl7Problem[] {
  return [
    ...(ONCE[kind] ?? []).flatMap((name) => secondOf(segments, name)),
    ...(kind === 'merge'
      ? secondsOfPid(segments, 'MRG').map((segment) => refused('segment.repeated', placeIn(segment)))
      : []),
    ...(kind === 'kept' ? [] : secondsOfPid(segments, 'PV1')).map((segment) =>
      warned(
        'segment.repeated',
        placeIn(segment),
        'A patient has one visit in a message. The first was read, this one was not.',
      ),
    ),
  ];
}

function secondOf(segments: readonly Er7Segment[], name: string): Hl7Problem[] {
  const [, second] = segments.filter((segment) => segment.name === name);
  return second === undefined ? [] : [refused('segment.repeated', placeIn(second))];
}

/** Segments of the name that follow another of the name under the same PID. */
function secondsOfPid(segments: readonly Er7Segment[], name: string): Er7Segment[] {
  let isThere = false;
  return segments.filter((segment) => {
    if (segment.name === 'PID') isThere = false;
    const isSecond = isThere && segment.name === name;
    isThere ||= segment.name === name;
    return isSecond;
  });
}
