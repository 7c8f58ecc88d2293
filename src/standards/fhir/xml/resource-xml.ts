import { isAscii, isUtf8 } from 'node:buffer';
import { RECORD_JSON_LIMITS } from '../../../platform/http/limits.js';
import { SMALL_BODY_BYTES } from '../../../platform/turns/large-bodies.js';
import { atOnce, inTurns, ownTurn, PIECE, type Paced } from '../../../platform/turns/turns.js';
import type { R4Definitions } from '../definitions/r4-definitions.js';
import { SERVED_TYPES } from '../types/served-types.js';
import { CharacterReferences } from './character-references.js';
import { ElementTable } from './element-table.js';
import type { Members } from './xml-frames.js';
import { refused } from './xml-faults.js';
import { XmlReader, type SentXml } from './xml-reader.js';
import { XmlTokens } from './xml-tokens.js';
import { XmlWriter } from './xml-writer.js';
import { decodeUtf8, notUtf8, withoutMark } from '../../../platform/http/utf8-text.js';

/** What XML 1.0 (2.2) excludes; in bytes of UTF-8, U+FFFE and U+FFFF are three of them. */
const NOT_PLAIN = /[\u0000-\u001f\ufffe\uffff]/;
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const NO_CHARACTER_BYTES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\u00ef\u00bf[\u00be\u00bf]/;

/** Resources of R4 in XML (R4 xml.html), both ways. One per process: the types that were met stay known. */
export class ResourceXml {
  private readonly table: ElementTable;
  private preparing: Iterator<void> | undefined;

  constructor(definitions: Pick<R4Definitions, 'structureDefinition'>) {
    this.table = new ElementTable(definitions);
  }

  /** Reads one more definition of those that served types stand on, some milliseconds; false when none is left. */
  prepareNext(): boolean {
    this.preparing ??= this.table.preparing(['Bundle', 'Parameters', 'OperationOutcome', ...SERVED_TYPES]);
    return this.preparing.next().done !== true;
  }

  /**
   * The resource of a document in UTF-8, as it is in JSON; in turns where it is large. The limits are those of JSON. `request.invalid`,
   * `request.too_large`; `fhir.structure` for what JSON could not say. The text is never quoted.
   */
  async read(body: Buffer): Promise<SentXml> {
    if (body.length <= SMALL_BODY_BYTES) return this.readAtOnce(body);
    await ownTurn();
    const isPlain = isAscii(body);
    if (!isPlain) await ownTurn();
    if (!isPlain && !isUtf8(body)) throw notUtf8();
    const bytes = isPlain ? body : withoutMark(body);
    await ownTurn();
    // Markup is ASCII, so that places in the text are places in the bytes.
    const text = bytes.toString('latin1');
    await inTurns(checkingCharacters(text));
    const read = isPlain
      ? (from: number, to: number) => text.slice(from, to)
      : (from: number, to: number) => bytes.toString('utf8', from, to);
    return inTurns(this.reading(text, read));
  }

  /** `read` for a short document. */
  readAtOnce(body: Buffer): SentXml {
    const text = decodeUtf8(body);
    const isDense = !NOT_PLAIN.test(text);
    if (!isDense && NO_CHARACTER.test(text)) throw noCharacter();
    return atOnce(this.reading(text, (from, to) => text.slice(from, to), isDense));
  }

  /** A resource as a document; in turns where it is long. */
  async write(resource: object, isPretty = false): Promise<string | Buffer> {
    const pieces = await inTurns(new XmlWriter(this.table, isPretty).writing(resource as Members));
    return pieces.length === 1 ? pieces[0]! : inTurns(joining(pieces));
  }

  /** `write` for a short resource. */
  writeAtOnce(resource: object, isPretty = false): string {
    return atOnce(new XmlWriter(this.table, isPretty).writing(resource as Members)).join('');
  }

  private reading(text: string, read: (from: number, to: number) => string, isDense = false): Paced<SentXml> {
    const tokens = new XmlTokens(text, read, new CharacterReferences(RECORD_JSON_LIMITS.escapes), isDense);
    return new XmlReader(tokens, this.table, RECORD_JSON_LIMITS).reading();
  }
}

function* checkingCharacters(text: string): Paced<void> {
  for (let from = 0; from < text.length; from += PIECE) {
    // Two more, as a character may be cut.
    if (NO_CHARACTER_BYTES.test(text.slice(from, from + PIECE + 2))) throw noCharacter();
    yield;
  }
}

function* joining(pieces: readonly string[]): Paced<Buffer> {
  const encoded: Buffer[] = [];
  let size = 0;
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'utf8');
    encoded.push(bytes);
    size += bytes.length;
    yield;
  }
  const whole = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for (const bytes of encoded) {
    filled += bytes.copy(whole, filled);
    yield;
  }
  return whole;
}

function noCharacter(): Error {
  return refused('The body has a character that XML does not allow, such as a control character. Leave it out.');
}
