// pdfkit alone: draws the same texts, lines and pictures at the same places, over and over, with nothing to measure, word or tag.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

const require = createRequire(import.meta.url);
const FONTS = Object.entries({
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
}).map(([name, file]) => [name, readFileSync(require.resolve(file))]);
/** Read once and kept open: pdfkit by itself reads them anew for every document, which takes longer than all the rest. */
const opened = new Map();
let operations = [];

function draw() {
  const document = new PDFDocument({
    autoFirstPage: false,
    size: 'A4',
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
  });
  for (const [name, bytes] of FONTS) {
    document.registerFont(name, opened.get(name) ?? bytes);
    document.font(name);
    opened.set(name, document._font.font);
  }
  for (const [name, values] of operations) document[name](...values);
  return new Promise((done, failed) => {
    const parts = [];
    document.on('data', (part) => parts.push(part));
    document.on('end', () => done(Buffer.concat(parts)));
    document.on('error', failed);
    document.end();
  });
}

process.on('message', async ({ operations: given, secs }) => {
  if (given !== undefined) {
    operations = given.map(([name, values]) => [
      name,
      values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
    ]);
    process.send({ bytes: (await draw()).length });
    return;
  }
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < secs * 1000) {
    await draw();
    count += 1;
  }
  process.send({ perSecond: count / ((performance.now() - began) / 1000) });
});
process.on('disconnect', () => process.exit(0));
process.send({ kind: 'ready' });
