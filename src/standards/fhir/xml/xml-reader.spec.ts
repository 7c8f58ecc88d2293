import { R4Definitions } from '../definitions/r4-definitions.js';
import { OutcomeError } from '../outcome/outcome-error.js';
import { locationOf } from './place.js';
import { ResourceXml } from './resource-xml.js';

const xml = new ResourceXml(new R4Definitions());
const FHIR = 'xmlns="http://hl7.org/fhir"';
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';

const read = (text: string | Buffer) => xml.readAtOnce(Buffer.from(text)).resource;
const patient = (inside: string) => `<Patient ${FHIR}>${inside}</Patient>`;
const narrative = (div: string) => patient(`<text><status value="generated"/>${div}</text>`);
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

function refusalOf(text: string | Buffer): string {
  try {
    read(text);
    return 'none';
  } catch (fault) {
    if (fault instanceof OutcomeError)
      return `${fault.code} ${fault.issues[0]!.location ?? ''}: ${fault.issues[0]!.details}`;
    return `${(fault as OutcomeError).code}: ${(fault as OutcomeError).detail}`;
  }
}

describe('a body is refused as no XML of FHIR', () => {
  const NOT_WELL_FORMED = /^request.invalid: The body is not well-formed XML at line \d+, column \d+/;
  const DTD = /request.invalid: .*\(DTD\)/;
  const ENTITY = /request.invalid: .*Entities are not read/;

  it.each([
    ['nothing', '', NOT_WELL_FORMED],
    ['blanks', ' \n', NOT_WELL_FORMED],
    ['JSON', '{"resourceType":"Patient"}', NOT_WELL_FORMED],
    ['a comment alone', '<!-- a -->', NOT_WELL_FORMED],
    ['an element that is not closed', `<Patient ${FHIR}><active value="true"/>`, NOT_WELL_FORMED],
    ['one that ends within a tag', `<Patient ${FHIR}`, NOT_WELL_FORMED],
    ['one that ends within a value', `<Patient ${FHIR}><active value="tr`, NOT_WELL_FORMED],
    ['one closed by another name', `<Patient ${FHIR}></Patients>`, NOT_WELL_FORMED],
    ['one closed by half its name', patient('<active value="true"></act>'), NOT_WELL_FORMED],
    ['a second root', `${patient('')}${patient('')}`, NOT_WELL_FORMED],
    ['text behind the root', `${patient('')}a`, NOT_WELL_FORMED],
    ['text before the root', `a${patient('')}`, NOT_WELL_FORMED],
    ['an attribute twice', patient('<active value="true" value="false"/>'), NOT_WELL_FORMED],
    ['an attribute without quotes', patient('<active value=true/>'), NOT_WELL_FORMED],
    ['an attribute without a value', patient('<active value/>'), NOT_WELL_FORMED],
    ['attributes that are not apart', patient('<active id="a"value="true"/>'), NOT_WELL_FORMED],
    ['markup in an attribute', patient('<gender value="<a>"/>'), NOT_WELL_FORMED],
    ['a comment in a comment', patient('<!-- a -- b -->'), NOT_WELL_FORMED],
    ['a comment without an end', patient('<!-- a'), NOT_WELL_FORMED],
    ['a prefix that nobody declared', '<f:Patient/>', NOT_WELL_FORMED],
    ['an attribute of such a prefix', patient('<active a:b="c" value="true"/>'), NOT_WELL_FORMED],
    ['a name with two prefixes', patient('<a:b:c/>'), NOT_WELL_FORMED],
    ['version 1.1', `<?xml version="1.1"?>${patient('')}`, NOT_WELL_FORMED],
    ['a declaration in the middle', `<!-- a --><?xml version="1.0"?>${patient('')}`, /processing instructions/],
    ['an instruction', `<?xml-stylesheet href="a.xsl"?>${patient('')}`, /processing instructions/],
    ['a document type', `<!DOCTYPE Patient>${patient('')}`, DTD],
    [
      'a document type with entities that grow',
      `<!DOCTYPE p [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${patient('<gender value="&c;"/>')}`,
      DTD,
    ],
    ['a document type that fetches', `<!DOCTYPE p SYSTEM "file:///etc/passwd">${patient('')}`, DTD],
    ['an entity', patient('<gender value="&a;"/>'), ENTITY],
    ['an entity of HTML', narrative(`<div ${XHTML}>a&nbsp;b</div>`), ENTITY],
    ['a bare ampersand', patient('<gender value="a & b"/>'), ENTITY],
    ['a reference to no character', patient('<gender value="&#0;"/>'), ENTITY],
    ['a reference to half a character', patient('<gender value="&#xD800;"/>'), ENTITY],
    ['a control character', patient('<gender value="a\u0001"/>'), /control character/],
    ['NUL', `${patient('')}\u0000`, /control character/],
    ['U+FFFE', patient('<gender value="\ufffe"/>'), /control character/],
    ['UTF-16', utf16(patient('')), /not valid UTF-8/],
    ['UTF-16 that says so', utf16(`<?xml version="1.0" encoding="UTF-16"?>${patient('')}`), /not valid UTF-8/],
    ['bytes of Latin-1', Buffer.from(patient('<gender value="\u00e4"/>'), 'latin1'), /not valid UTF-8/],
    [
      'another encoding by its own word',
      `<?xml version="1.0" encoding="ISO-8859-1"?>${patient('')}`,
      /another than UTF-8/,
    ],
    ['a namespace of nothing', patient('<active xmlns:a="" value="true"/>'), /declares a namespace/],
    [
      'a hundred namespaces',
      `<Patient ${FHIR} ${Array.from({ length: 100 }, (_, n) => `xmlns:a${n}="b"`).join(' ')}/>`,
      /^request.too_large/,
    ],
    ['depth', `<Patient ${FHIR}>${'<extension url="a">'.repeat(200)}`, /nested deeper than 128/],
    ['a million blanks and more', patient(' '.repeat(1024 * 1024 + 1)), /^request.too_large.*blanks/],
    ['a long number', patient(`<multipleBirthInteger value="1${'0'.repeat(100)}"/>`), /longer than 100 characters/],
  ])('%s', (_, text, said) => {
    expect(refusalOf(text)).toMatch(said);
  });

  it('with the place of the fault, and without anything of it', () => {
    expect(refusalOf(`<Patient ${FHIR}>\n  <name>\n    <family value="Beispiel></name>\n</Patient>`)).toBe(
      'request.invalid: The body is not well-formed XML at line 3, column 29. Correct it and send it again.',
    );
  });
});

describe('what JSON could not say is refused at its place', () => {
  it.each([
    [
      'another namespace',
      '<Patient xmlns="urn:x"/>',
      ': A resource is an element of the namespace http://hl7.org/fhir.',
    ],
    ['no namespace', '<Patient/>', ': A resource is an element of the namespace http://hl7.org/fhir.'],
    [
      'an element of another namespace',
      patient('<a xmlns="urn:x"/>'),
      '/f:Patient: An element is of another namespace than http://hl7.org/fhir.',
    ],
    [
      'a div of FHIR',
      narrative('<div>a</div>'),
      '/f:Patient/f:text: The div of a narrative is an element of the namespace http://www.w3.org/1999/xhtml.',
    ],
    [
      'an attribute',
      patient('<name/><name use="official"/>'),
      '/f:Patient/f:name[2]: Unknown attribute. Values stand in elements of their own.',
    ],
    [
      'an attribute of the root',
      `<Patient ${FHIR} id="1"/>`,
      '/f:Patient: Unknown attribute. Values stand in elements of their own.',
    ],
    [
      'an attribute of a value',
      patient('<name><given value="a"/><given valu="b"/></name>'),
      '/f:Patient/f:name[1]/f:given[2]: Unknown attribute. Values stand in elements of their own.',
    ],
    [
      'an element twice',
      patient('<active value="true"/><active value="false"/>'),
      '/f:Patient/f:active: The element stands here twice. It may stand once.',
    ],
    [
      'a group twice',
      patient('<maritalStatus/><maritalStatus/>'),
      '/f:Patient/f:maritalStatus: The element stands here twice. It may stand once.',
    ],
    [
      'text',
      patient('<gender>male</gender>'),
      '/f:Patient/f:gender: Text stands between the elements. Values stand in the attribute "value".',
    ],
    [
      'a marked section',
      patient('<gender><![CDATA[male]]></gender>'),
      '/f:Patient/f:gender: A marked section (CDATA) stands between the elements. Leave it out.',
    ],
    [
      'two resources in one place',
      patient('<contained><Patient/><Patient/></contained>'),
      '/f:Patient/f:contained[1]: One resource stands here, and no more.',
    ],
    ['the type as an element', patient('<resourceType value="Practitioner"/>'), '/f:Patient: Unknown element.'],
    ['a name of JSON', patient('<_active value="true"/>'), '/f:Patient: Unknown element.'],
    [
      'within a Bundle',
      `<Bundle ${FHIR}><entry/><entry><resource><Patient><name><foo><![CDATA[a]]></foo></name></Patient></resource></entry></Bundle>`,
      '/f:Bundle/f:entry[2]/f:resource/f:Patient/f:name[1]: A marked section (CDATA) stands between the elements. Leave it out.',
    ],
  ])('%s', (_, text, said) => {
    expect(refusalOf(text)).toBe(`fhir.structure ${said}`);
  });
});

describe('a document becomes the object that it is in JSON', () => {
  it.each<[string, string, object]>([
    [
      'numbers and truth',
      patient('<active value="true"/><multipleBirthInteger value="2"/>'),
      { active: true, multipleBirthInteger: 2 },
    ],
    [
      'what is no number or truth, for validation to name',
      patient('<active value="yes"/><multipleBirthInteger value="two"/>'),
      { active: 'yes', multipleBirthInteger: 'two' },
    ],
    [
      'elements in any order',
      patient(
        '<gender value="male"/><name><given value="a"/></name><active value="true"/><name><family value="b"/></name>',
      ),
      { gender: 'male', name: [{ given: ['a'] }, { family: 'b' }], active: true },
    ],
    [
      'ids and extensions of values',
      patient(
        '<birthDate id="a" value="1950"><extension url="u"><valueBoolean value="false"/></extension></birthDate>',
      ),
      { birthDate: '1950', _birthDate: { id: 'a', extension: [{ url: 'u', valueBoolean: false }] } },
    ],
    [
      'extensions without a value',
      patient('<birthDate><extension url="u"/></birthDate>'),
      { _birthDate: { extension: [{ url: 'u' }] } },
    ],
    [
      'lists with extensions here and there',
      patient('<name><given value="a"/><given id="b"/><given value="c" id="d"/><given value="e"/></name>'),
      { name: [{ given: ['a', null, 'c', 'e'], _given: [null, { id: 'b' }, { id: 'd' }, null] }] },
    ],
    ['lists of extensions alone', patient('<name><given id="a"/></name>'), { name: [{ _given: [{ id: 'a' }] }] }],
    [
      'what is empty, for validation to name',
      patient('<birthDate/><name/><name><given value=""/><given/></name>'),
      { birthDate: '', name: [{}, { given: ['', ''] }] },
    ],
    ['unknown elements, for validation to name', patient('<mood value="good"><a><b/></a></mood>'), { mood: true }],
    [
      'references, and line ends as blanks',
      patient('<gender value="&lt;&amp;&#x41;&#10;&quot;\n\t\r\nb\'"/>'),
      { gender: '<&A\n"   b\'' },
    ],
    ['values in single quotes', patient("<gender value='a\"b'/>"), { gender: 'a"b' }],
    ['characters of any length', patient('<gender value="ä€😀"/>'), { gender: 'ä€😀' }],
    [
      'contained resources',
      patient('<contained><Organization xmlns="http://hl7.org/fhir"><id value="o"/></Organization></contained>'),
      { contained: [{ resourceType: 'Organization', id: 'o' }] },
    ],
    [
      'comments and blanks',
      `<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<!-- a -->\n${patient('\n <!-- b -->\n<active\n value = "true" ></active >')}<!-- c -->\n`,
      { active: true },
    ],
    ['a byte order mark', `\ufeff${patient('<active value="true"/>')}`, { active: true }],
    [
      'prefixes',
      '<f:Patient xmlns:f="http://hl7.org/fhir" xmlns="urn:x"><f:active value="true"/></f:Patient>',
      { active: true },
    ],
    [
      'hints at schemas',
      `<Patient ${FHIR} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://hl7.org/fhir a.xsd"/>`,
      {},
    ],
    [
      'a narrative as it is',
      narrative(`<div ${XHTML}>\n<p class='a'>4 &gt; 3 &#160;<br/></p> <!-- b --></div>`),
      { text: { status: 'generated', div: `<div ${XHTML}>\n<p class='a'>4 &gt; 3 &#160;<br/></p> <!-- b --></div>` } },
    ],
    [
      'a narrative with a prefix',
      `<Patient ${FHIR} xmlns:h="http://www.w3.org/1999/xhtml"><text><h:div xml:lang="de"><h:p>a<h:br/></h:p></h:div></text></Patient>`,
      { text: { div: `<div ${XHTML} xml:lang="de"><p>a<br/></p></div>` } },
    ],
  ])('%s', (_, text, resource) => {
    expect(read(text)).toEqual({ resourceType: 'Patient', ...resource });
  });

  it('a type that R4 has not, for validation to name', () => {
    expect(read(`<Wound ${FHIR}><a value="b"/></Wound>`)).toEqual({ resourceType: 'Wound' });
    expect(read(`<Bundle ${FHIR}><entry><resource/></entry></Bundle>`)).toEqual({
      resourceType: 'Bundle',
      entry: [{ resource: {} }],
    });
  });
});

describe('a place', () => {
  const { held } = xml.readAtOnce(
    Buffer.from(
      `<Bundle ${FHIR}><entry/><entry><resource><Patient><contained><Device/></contained></Patient></resource></entry></Bundle>`,
    ),
  );

  it.each([
    ['Bundle', '/f:Bundle'],
    ['Bundle.entry[0].request.url', '/f:Bundle/f:entry[1]/f:request/f:url'],
    ['Bundle.entry[1].resource.name[2].given[0]', '/f:Bundle/f:entry[2]/f:resource/f:Patient/f:name[3]/f:given[1]'],
    [
      'Bundle.entry[1].resource.contained[0].type',
      '/f:Bundle/f:entry[2]/f:resource/f:Patient/f:contained[1]/f:Device/f:type',
    ],
    ['Patient.name', null],
    ['Bundle.entry.where(a)', null],
    ['http.header.If-Match', null],
  ])('%s is %s', (expression, location) => {
    expect(locationOf(expression, 'Bundle', held)).toBe(location);
  });
});
