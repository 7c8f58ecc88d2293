import { SuturaError } from '../../../core/errors/sutura-error.js';

/** The limits of one resource, whatever it came in. */
export const RESOURCE_LIMITS = {
  /** Objects, lists and their members. */
  values: 10_000,
  /** The limits of a Bundle or Parameters, which hold resources themselves; `$validate` takes them. */
  valuesOfContainer: 40_000,
  /** Members of one list. */
  members: 1_000,
  /** All texts together, but for attachments in Base64. A page of a search shows two hundred resources. */
  characters: 256 * 1024,
} as const;
const CONTAINERS: readonly unknown[] = ['Bundle', 'Parameters'];
/** The weight of a value besides its text, in characters. */
const VALUE_SIZE = 16;
/** Elements whose text is Base64; attachments have limits of their own. */
const BASE64_NAMES = ['data', 'valueBase64Binary'];

/** The weight of a JSON value. */
export interface Weight {
  readonly values: number;
  /** Members of its longest list. */
  readonly members: number;
  readonly depth: number;
  /** Characters of its keys and texts. */
  readonly characters: number;
  /** Characters of attachments among them. */
  readonly attached: number;
}

/** Without recursion, however deep the value is; stops at the first value over `valueLimit`. */
export function weigh(root: unknown, valueLimit = Number.POSITIVE_INFINITY): Weight {
  let [values, members, depth, characters, attached] = [0, 0, 0, 0, 0];
  let level: unknown[] = [root];
  while (level.length > 0 && values <= valueLimit) {
    values += level.length;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') characters += value.length;
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        members = Math.max(members, value.length);
        for (const item of value) below.push(item);
        continue;
      }
      for (const [name, member] of Object.entries(value)) {
        characters += name.length;
        if (typeof member === 'string' && BASE64_NAMES.includes(name)) attached += member.length;
        below.push(member);
      }
    }
    if (below.length > 0) depth += 1;
    level = below;
  }
  return { values, members, depth, characters, attached };
}

/** The approximate length of a value in JSON, without writing it. */
export function sizeOf(value: unknown): number {
  const { characters, values } = weigh(value);
  return characters + VALUE_SIZE * values;
}

/** `request.too_large` for a resource over the limits. Its weight otherwise. */
export function refuseHeavy(resource: unknown): Weight {
  const isContainer = CONTAINERS.includes((resource as { resourceType?: unknown } | null | undefined)?.resourceType);
  const most = isContainer ? RESOURCE_LIMITS.valuesOfContainer : RESOURCE_LIMITS.values;
  const weight = weigh(resource, most);
  if (weight.values > most) throw tooLarge(`A resource has at most ${most} values. Send it in parts.`);
  if (!isContainer && weight.members > RESOURCE_LIMITS.members)
    throw tooLarge(`A list of a resource has at most ${RESOURCE_LIMITS.members} members. Send it in parts.`);
  if (weight.characters - weight.attached > RESOURCE_LIMITS.characters)
    throw tooLarge(
      `The texts of a resource have at most ${RESOURCE_LIMITS.characters} characters together. Send large content as an attachment.`,
    );
  return weight;
}

function tooLarge(detail: string): SuturaError {
  return new SuturaError('request.too_large', { detail });
}
