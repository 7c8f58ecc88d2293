import type { XmlTokens } from './xml-tokens.js';
import { FHIR_NAMESPACE, refused } from './xml-faults.js';

const XML = 'http://www.w3.org/XML/1998/namespace';
const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** The namespaces in which a tag stands: that of names without a prefix, and those of prefixes. */
export interface Namespaces {
  readonly unprefixed: string;
  readonly prefixes: ReadonlyMap<string, string>;
}

export const NO_NAMESPACES: Namespaces = { unprefixed: '', prefixes: new Map([['xml', XML]]) };

/** Those of the last tag, which stands within `outer`. */
export function declaredBy(tokens: XmlTokens, outer: Namespaces): Namespaces {
  if (!tokens.declares) return outer;
  let { unprefixed, prefixes } = outer;
  for (let index = 0; index < tokens.attributes; index += 1) {
    const [name, value] = [tokens.names[index]!, tokens.values[index]!];
    if (name === 'xmlns') unprefixed = value;
    else if (name.startsWith('xmlns:')) {
      const prefix = name.slice('xmlns:'.length);
      if (prefix === 'xmlns' || (prefix === 'xml') !== (value === XML) || value === '')
        throw refused('The body declares a namespace that XML has or forbids. Leave the declaration out.');
      prefixes = new Map([...prefixes, [prefix, value]]);
    }
  }
  return { unprefixed, prefixes };
}

/** The namespace of the last tag. */
export function namespaceOf(tokens: XmlTokens, { unprefixed, prefixes }: Namespaces): string {
  if (tokens.colon === -1) return unprefixed;
  const found = prefixes.get(tokens.name.slice(0, tokens.colon));
  if (found === undefined) throw tokens.notWellFormed();
  return found;
}

export function isFhir(tokens: XmlTokens, namespaces: Namespaces): boolean {
  return namespaceOf(tokens, namespaces) === FHIR_NAMESPACE;
}

/** True for attributes that say nothing of the resource: declarations, and hints at schemas. `request.invalid` for an unknown prefix. */
export function isBesideResource(name: string, tokens: XmlTokens, { prefixes }: Namespaces): boolean {
  const colon = name.indexOf(':');
  if (name === 'xmlns' || name.startsWith('xmlns:')) return true;
  if (colon === -1) return false;
  const namespace = prefixes.get(name.slice(0, colon));
  if (namespace === undefined) throw tokens.notWellFormed();
  return namespace === SCHEMA_INSTANCE;
}
