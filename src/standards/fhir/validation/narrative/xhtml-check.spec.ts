import { narrativeFault } from './xhtml-check.js';
import { processorMs } from '../../../../../test/support/processor-time.js';

const div = (inside: string): string => `<div xmlns="http://www.w3.org/1999/xhtml">${inside}</div>`;

describe('a narrative is refused', () => {
  it.each([
    ['with a script', div('<script>alert(1)</script>')],
    ['with a script in capitals', div('<SCRIPT>alert(1)</SCRIPT>')],
    ['with an event', div('<img src="a.png" onerror="alert(1)"/>')],
    ['with an event in capitals', div('<p ONCLICK="x">a</p>')],
    ['with a frame', div('<iframe src="https://x.example"></iframe>')],
    ['with a form', div('<form action="/"><input name="a"/></form>')],
    ['with an object', div('<object data="a"></object>')],
    ['with a style sheet', div('<style>p{}</style>')],
    ['with a link', div('<link rel="stylesheet" href="a.css"/>')],
    ['with SVG', div('<svg><desc>a</desc></svg>')],
    ['with a prefixed element', div('<x:script xmlns:x="http://www.w3.org/1999/xhtml">a</x:script>')],
    ['with a deprecated element', div('<font>a</font>')],
    ['with an address that runs', div('<a href="javascript:alert(1)">a</a>')],
    ['with one in capitals and blanks', div('<a href="  JavaScript :alert(1)">a</a>')],
    ['with one in numbers', div('<a href="&#106;avascript&#58;alert(1)">a</a>')],
    ['with one in hexadecimal numbers and a tab', div('<a href="&#x6A;ava&#x9;script:alert(1)">a</a>')],
    ['with one by the names of HTML 5', div('<a href="javascript&colon;alert(1)">a</a>')],
    ['with one behind a soft hyphen', div('<a href="java&shy;script:alert(1)">a</a>')],
    ['with data as an address', div('<a href="data:text/html,a">a</a>')],
    ['with an image that is a document', div('<img src="data:image/svg+xml;base64,AAAA"/>')],
    ['with data in a quotation', div('<q cite="data:image/png;base64,AAAA">a</q>')],
    ['with a style that fetches', div('<p style="background:url(https://x.example/a)">a</p>')],
    ['with a style that runs', div('<p style="width:expression(alert(1))">a</p>')],
    ['with a style that hides what it is', div('<p style="background:\\75rl(x)">a</p>')],
    ['with a style in numbers', div('<p style="background:u&#114;l(x)">a</p>')],
    ['with a document type', `<!DOCTYPE div [<!ENTITY a "b">]>${div('a')}`],
    ['with an entity of its own', div('&a;')],
    ['with a character that is none', div('&#0;')],
    ['with half a character', div('&#xD800;')],
    ['with a bare ampersand', div('a & b')],
    ['with an instruction', div('<?php a ?>')],
    ['with a marked section', div('<![CDATA[<script>a</script>]]>')],
    ['without a namespace', '<div>a</div>'],
    ['with another namespace', '<div xmlns="http://www.w3.org/2000/svg">a</div>'],
    ['that is no div', '<p>a</p>'],
    ['that is text', 'a'],
    ['that is nothing', ''],
    ['that says nothing', div('  <p>\n</p> ')],
    ['with something behind it', `${div('a')}<p>b</p>`],
    ['that is not closed', '<div xmlns="http://www.w3.org/1999/xhtml"><p>a</div>'],
    ['that closes what is not open', '<div xmlns="http://www.w3.org/1999/xhtml">a</p></div>'],
    ['that never ends', '<div xmlns="http://www.w3.org/1999/xhtml">a'],
    ['with an attribute without quotes', '<div class=a>a</div>'],
    ['with an attribute without a value', '<div class>a</div>'],
    ['with an attribute twice', '<div class="a" class="b">a</div>'],
    ['with an attribute that is not apart', '<div class="a"id="b">a</div>'],
    ['with markup in an attribute', '<div title="<script>">a</div>'],
    ['with a comment in a comment', div('<!-- a -- b -->c')],
    ['that is nested without end', '<div xmlns="http://www.w3.org/1999/xhtml">'.repeat(50_000)],
  ])('%s', (_, text) => {
    expect(narrativeFault(text)).toEqual(expect.stringMatching(/\.$/));
  });

  it('without anything of it in the refusal', () => {
    expect(narrativeFault(div('<marquee data-name="Anna Beispiel">a</marquee>'))).not.toMatch(/marquee|Anna/);
  });
});

describe('a narrative is taken', () => {
  it.each([
    ['as most are', div('<p><b>Wound</b>, left heel: 4&#160;cm&sup2; &ndash; <i>better</i></p>')],
    ['with blanks around it', `\n ${div('a')} \n`],
    [
      'with a table',
      div(
        '<table class="grid" border="1"><thead><tr><th colspan="2" scope="col">a</th></tr></thead><tbody><tr><td nowrap="nowrap">b</td></tr></tbody></table>',
      ),
    ],
    [
      'with lists, lines and quotes',
      div('<ul><li title=\'a "b"\'>x</li></ul><hr/><br /><pre xml:space="preserve">a</pre>'),
    ],
    [
      'with addresses',
      div(
        '<a href="https://x.example/a?b=1&amp;c=2#d" name="e">f</a> <a href="#g">h</a> <a href="Patient/1">i</a> <a href="urn:uuid:0">j</a> <a href="mailto:a@x.example">k</a> <a href="a/b:c">l</a>',
      ),
    ],
    ['with an image alone', div('<img src="data:image/png;base64,AAAA" alt="a"/>')],
    ['with a style of its own', div('<span style="color: #c00; font-weight: bold">a</span>')],
    ['with a comment', div('<!-- made by a program -->a')],
    [
      'with right-to-left text',
      '<div xmlns="http://www.w3.org/1999/xhtml" dir="rtl" lang="ar" xml:lang="ar">جرح</div>',
    ],
    ['with bare angle brackets to the right', div('a > b')],
  ])('%s', (_, text) => {
    expect(narrativeFault(text)).toBeNull();
  });

  it.each([
    ['one of ten thousand paragraphs', div('<p>a &amp; b</p>'.repeat(10_000))],
    ['one of blanks', `<div xmlns="http://www.w3.org/1999/xhtml"${' '.repeat(1_000_000)}>a</div>`],
    [
      'one of attributes',
      `<div xmlns="http://www.w3.org/1999/xhtml" class = "a">${'<p title="x">a</p>'.repeat(10_000)}</div>`,
    ],
    ['one of quotes', `<div xmlns="http://www.w3.org/1999/xhtml" title="${"'".repeat(1_000_000)}">a</div>`],
  ])('as quickly as it is long: %s', (_, text) => {
    expect(narrativeFault(text)).toBeNull();
    expect(processorMs(() => narrativeFault(text))).toBeLessThan(500);
  });
});
