import type { Resource } from '@medplum/fhirtypes';

export type Members = Readonly<Record<string, unknown>>;

/** One walk through a resource. */
export interface Walk {
  readonly root: Resource;
  /** The innermost resource around the place where the walk is: the root, or one that it contains. */
  resource: Resource;
  /** Long base64 texts, whose bytes are checked after everything else has passed. */
  readonly longTexts: string[];
}

/** True: certainly valid. False: unknown, to be checked exactly. `depth`: of the object that holds the value. */
export type Check = (value: unknown, walk: Walk, depth: number) => boolean;

/** The check of anything that is not understood here. */
export const LOOK_CLOSER: Check = () => false;

export function allOf(checks: readonly Check[]): Check {
  const [first, second, ...more] = checks;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  const rest = allOf([second, ...more]);
  return (value, walk, depth) => first(value, walk, depth) && rest(value, walk, depth);
}
