import type { Resource } from '@medplum/fhirtypes';

export type Members = Readonly<Record<string, unknown>>;

/** One walk through a resource. */
export interface Walk {
  readonly root: Resource;
  /** The innermost resource around the place where the walk is: the root, or one that it contains. */
  resource: Resource;
  /** Long base64 that was met, whose bytes are looked at when all else has passed. */
  readonly longTexts: string[];
}

/** True: certainly valid. False: look closer; it says nothing of what is wrong, if anything is. `depth`: of the object that holds the value. */
export type Check = (value: unknown, walk: Walk, depth: number) => boolean;

/** For what is not understood here. */
export const LOOK_CLOSER: Check = () => false;

export function allOf(checks: readonly Check[]): Check {
  const [first, second, ...more] = checks;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  const rest = allOf([second, ...more]);
  return (value, walk, depth) => first(value, walk, depth) && rest(value, walk, depth);
}
