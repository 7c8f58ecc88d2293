import { RESOURCE_LIMITS } from '../validation/resource-weight.js';
import { escaped } from './escaped-text.js';
import { isBesideResource, namespaceOf, type Namespaces } from './namespaces.js';
import { tooLarge, XHTML_NAMESPACE } from './xml-faults.js';
import type { XmlTokens } from './xml-tokens.js';

/** Bytes of one character at most. */
const CHARACTER_BYTES = 4;

/** The div of a narrative as it is written, without prefixes of XHTML and with its namespace, as JSON has it. */
export class NarrativeText {
  private readonly pieces: string[] = [];
  /** What is not in the pieces yet begins here. */
  private rest: number;
  private readonly start: number;

  /** At the tag of the div. */
  constructor(tokens: XmlTokens, namespaces: Namespaces) {
    this.start = tokens.from;
    this.rest = tokens.from;
    const isPlain =
      tokens.colon === -1 &&
      tokens.names.slice(0, tokens.attributes).includes('xmlns') &&
      !tokens.names.slice(0, tokens.attributes).some((name) => name.startsWith('xmlns:'));
    if (isPlain) return;
    const attributes = tokens.names
      .slice(0, tokens.attributes)
      .flatMap((name, index) =>
        isBesideResource(name, tokens, namespaces) ? [] : [` ${name}="${escaped(tokens.values[index]!)}"`],
      );
    this.pieces.push(`<div xmlns="${XHTML_NAMESPACE}"${attributes.join('')}${tokens.isEmpty ? '/' : ''}>`);
    this.rest = tokens.position;
  }

  /** At the tag of an element within it. */
  open(tokens: XmlTokens, namespaces: Namespaces): void {
    const isXhtml = namespaceOf(tokens, namespaces) === XHTML_NAMESPACE;
    for (let index = 0; index < tokens.attributes; index += 1)
      isBesideResource(tokens.names[index]!, tokens, namespaces);
    if (tokens.colon !== -1 && isXhtml) this.leaveOut(tokens.from + 1, tokens, tokens.colon + 1);
  }

  /** At the end of an element of this name. */
  close(name: string, tokens: XmlTokens): void {
    const colon = name.indexOf(':');
    if (colon !== -1) this.leaveOut(tokens.from + 2, tokens, colon + 1);
  }

  /** `request.invalid` for text that is not well-formed, `request.too_large` for more than any resource may hold. */
  takeText(tokens: XmlTokens): void {
    if (tokens.from - this.start > CHARACTER_BYTES * RESOURCE_LIMITS.characters)
      throw tooLarge(
        `The texts of a resource have at most ${RESOURCE_LIMITS.characters} characters together. Send large content as an attachment.`,
      );
    const text = tokens.text.slice(tokens.textFrom, tokens.from);
    if (text.includes(']]>')) throw tokens.notWellFormed(tokens.textFrom);
    tokens.references.check(text);
  }

  /** Behind its last tag. */
  text(tokens: XmlTokens): string {
    this.pieces.push(tokens.read(this.rest, tokens.position));
    return this.pieces.join('');
  }

  private leaveOut(from: number, tokens: XmlTokens, length: number): void {
    this.pieces.push(tokens.read(this.rest, from));
    this.rest = from + length;
  }
}
