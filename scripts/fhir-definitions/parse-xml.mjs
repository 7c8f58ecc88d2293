const TOKEN =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|[^<]+/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const NAMED = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The elements of an XML file of HL7 as `{ name, attributes, children }`. Text between elements is left out: FHIR has none outside of narratives. */
export function parseXml(text) {
  const top = { name: '', attributes: {}, children: [] };
  const open = [top];
  for (const [, closing, name, attributes, selfClosing] of text.matchAll(TOKEN)) {
    if (name === undefined) continue;
    if (closing === '/') {
      if (open.pop().name !== name) throw new Error(`</${name}> closes another element.`);
      continue;
    }
    const element = { name, attributes: attributesOf(attributes), children: [] };
    open.at(-1).children.push(element);
    if (selfClosing !== '/') open.push(element);
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1).name}> is not closed.`);
  return top.children[0];
}

function attributesOf(text) {
  return Object.fromEntries([...text.matchAll(ATTRIBUTE)].map(([, name, one, other]) => [name, plain(one ?? other)]));
}

/** XML makes a blank of a line break in an attribute; one that is meant is written as `&#xA;`. */
function plain(value) {
  return value
    .replace(/\r\n|[\t\r\n]/g, ' ')
    .replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (_, hexadecimal, decimal, name) => {
      if (name === undefined) return String.fromCodePoint(parseInt(hexadecimal ?? decimal, hexadecimal ? 16 : 10));
      if (!(name in NAMED)) throw new Error(`&${name}; is not known.`);
      return NAMED[name];
    });
}
