/** The elements of a resource by name, for code that walks them without knowing the type. A change of them is one of the resource. */
export function elementsOf(resource: object): Record<string, unknown> {
  return resource as Record<string, unknown>;
}
