import { atOnce } from '../../../platform/turns/turns.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { CharacterReferences } from './character-references.js';
import { escaped } from './escaped-text.js';
import { CHARACTER_NUMBERS } from './named-characters.js';
import { XHTML_NAMESPACE } from './xml-faults.js';
import { XmlTokens } from './xml-tokens.js';

const NAMED = /&([A-Za-z][A-Za-z0-9]{1,7});/g;
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;

/** The div of a narrative, as it may stand in a document: one that is not well-formed stands there as text. */
export function writtenNarrative(div: string): string {
  const text = div.trim().replace(NAMED, byNumber);
  if (!isElement(text)) return `<div xmlns="${XHTML_NAMESPACE}">${escaped(text)}</div>`;
  const hasNamespace = /^<div[^>]*[ \t\r\n]xmlns[ \t\r\n]*=/.test(text);
  return hasNamespace ? text : text.replace('<div', `<div xmlns="${XHTML_NAMESPACE}"`);
}

/** Whether a text is one well-formed div, in no other namespace than that of XHTML. */
function isElement(text: string): boolean {
  if (NO_CHARACTER.test(text)) return false;
  const references = new CharacterReferences(text.length);
  try {
    const tokens = new XmlTokens(text, (from, to) => text.slice(from, to), references);
    const open: string[] = [];
    for (;;) {
      const token = tokens.next(open.at(-1) ?? '', '');
      if (token === 'end') return false;
      if (token === 'long') {
        atOnce(tokens.supplyLong());
        continue;
      }
      const before = text.slice(tokens.textFrom, tokens.from);
      references.check(before);
      if (before.includes(']]>') || (open.length === 0 && (tokens.from > 0 || tokens.name !== 'div'))) return false;
      if (token === 'closing') open.pop();
      else if (token === 'opening') {
        if (!isXhtml(tokens)) return false;
        if (!tokens.isEmpty) open.push(tokens.name);
      }
      if (open.length === 0) return tokens.position === text.length;
    }
  } catch (fault) {
    if (fault instanceof SuturaError) return false;
    throw fault;
  }
}

function isXhtml({ colon, attributes, names, values }: XmlTokens): boolean {
  if (colon !== -1) return false;
  for (let index = 0; index < attributes; index += 1) {
    const name = names[index]!;
    if (name === 'xmlns' ? values[index] !== XHTML_NAMESPACE : name.includes(':') && !name.startsWith('xml:'))
      return false;
  }
  return true;
}

function byNumber(written: string, name: string): string {
  const number = CHARACTER_NUMBERS.get(name);
  return number === undefined ? written : `&#${number};`;
}
