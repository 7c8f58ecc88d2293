import type { Resource } from '@medplum/fhirtypes';

export type Members = Readonly<Record<string, unknown>>;

/** One walk through a resource. */
export interface Walk {
  /** FHIRPath's `%rootResource`: the resource of an entry or parameter, not one that is contained in another. */
  root: Resource;
  /** FHIRPath's `%resource`: the innermost resource around the place where the walk is. */
  resource: Resource;
  /** Long base64 texts, whose bytes are checked after everything else has passed. */
  readonly longTexts: string[];
  /** The resource that is checked, around all others. */
  readonly whole: Resource;
  /** Ids of elements. */
  readonly ids: unknown[];
}

export function walkOf(resource: Resource): Walk {
  return { root: resource, resource, whole: resource, longTexts: [], ids: [] };
}

/** True: certainly valid. False: unknown, to be checked exactly. `depth`: of the object that holds the value. */
export type Check = (value: unknown, walk: Walk, depth: number) => boolean;

/** Looks at what a resource holds in a place, which is contained in it or stands for itself, as in the entry of a Bundle. */
export function within<T>(walk: Walk, held: Resource, isContained: boolean, look: () => T): T {
  const { root, resource } = walk;
  walk.resource = held;
  if (!isContained) walk.root = held;
  try {
    return look();
  } finally {
    walk.root = root;
    walk.resource = resource;
  }
}

/** The check of anything that is not understood here. */
export const LOOK_CLOSER: Check = () => false;

export function allOf(checks: readonly Check[]): Check {
  const [first, second, ...more] = checks;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  const rest = allOf([second, ...more]);
  return (value, walk, depth) => first(value, walk, depth) && rest(value, walk, depth);
}
