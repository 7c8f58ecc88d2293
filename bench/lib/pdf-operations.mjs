import PDFDocument from 'pdfkit';

/** What puts something on a page, or says how. Measuring of words and the structure for screen readers are left out. */
const PRIMITIVES = [
  'addPage',
  'switchToPage',
  'save',
  'restore',
  'translate',
  'font',
  'fontSize',
  'fillColor',
  'strokeColor',
  'lineWidth',
  'moveTo',
  'lineTo',
  'rect',
  'circle',
  'closePath',
  'stroke',
  'fill',
  'fillAndStroke',
  'image',
  'text',
];

/** The calls of pdfkit by which `draw` puts documents on pages, in their order: [name, arguments]. */
export async function recordOperations(draw) {
  const operations = [];
  const originals = PRIMITIVES.map((name) => [name, PDFDocument.prototype[name]]);
  let depth = 0;
  for (const [name, original] of originals) {
    PDFDocument.prototype[name] = function recorded(...values) {
      // What pdfkit calls by itself comes again by itself.
      if (depth === 0) operations.push([name, values]);
      depth += 1;
      try {
        return original.apply(this, values);
      } finally {
        depth -= 1;
      }
    };
  }
  try {
    await draw();
  } finally {
    for (const [name, original] of originals) PDFDocument.prototype[name] = original;
  }
  return operations;
}
