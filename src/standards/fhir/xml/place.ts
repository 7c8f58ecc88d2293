const STEP = /^([A-Za-z][\w]*)(?:\[(\d+)\])?$/;

/**
 * A FHIRPath into a resource of this type as XPath: names, and positions from 1; null where it is no such path. `held` has the types of the
 * resources within it, which FHIRPath does not name and XPath does.
 */
export function locationOf(expression: string, type: string, held: ReadonlyMap<string, string>): string | null {
  const [root, ...steps] = expression.split('.');
  if (root !== type) return null;
  let path = type;
  let location = `/f:${type}`;
  for (const step of steps) {
    const [, name, index] = STEP.exec(step) ?? [];
    if (name === undefined) return null;
    path = `${path}.${step}`;
    location += `/f:${name}${index === undefined ? '' : `[${Number(index) + 1}]`}`;
    const within = held.get(path);
    if (within !== undefined) location += `/f:${within}`;
  }
  return location;
}
