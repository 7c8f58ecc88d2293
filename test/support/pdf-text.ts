import { inflateSync } from 'node:zlib';

/** The text of each page of a PDF, line by line as it was drawn: what a reader could select. */
export function pdfPages(pdf: Uint8Array): string[] {
  const objects = objectsOf(pdf);
  return pageObjects(objects).map((page) => pageText(objects, page));
}

/** Everything of the file that is not compressed: the structure, the catalogue, the names. */
export function pdfMarkup(pdf: Uint8Array): string {
  return [...objectsOf(pdf).values()].map((body) => body.replace(/stream\r?\n[\s\S]*?endstream/, '')).join('\n');
}

export interface TextBox {
  readonly page: number;
  /** Points from the lower left corner to where the line begins. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Where each line of text begins on its page, charts included. */
export function pdfTextBoxes(pdf: Uint8Array): TextBox[] {
  const objects = objectsOf(pdf);
  return pageObjects(objects).flatMap((body, page) => {
    let [shiftX, shiftY] = [0, 0];
    const content = streamOf(objects.get(/\/Contents (\d+) 0 R/.exec(body)![1]!)!);
    return [
      ...content.matchAll(
        /1 0 0 1 (-?[\d.]+) (-?[\d.]+) cm|1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm\n\/F\d+ ([\d.]+) Tf|\/Figure <<|^EMC$/gm,
      ),
    ].flatMap(([found, dx, dy, x, y, size]) => {
      if (found === 'EMC' || found.startsWith('/Figure')) [shiftX, shiftY] = [0, 0];
      if (dx !== undefined) [shiftX, shiftY] = [Number(dx), Number(dy)];
      return x === undefined ? [] : [{ page, x: Number(x) + shiftX, y: Number(y) - shiftY, size: Number(size) }];
    });
  });
}

/** The bytes that a reader needs for each page by itself: its content, pictures and fonts. */
export function pdfPageBytes(pdf: Uint8Array): number[] {
  const objects = objectsOf(pdf);
  return pageObjects(objects).map((page) => {
    const needed = new Set<string>();
    const visit = (body: string): number => {
      // Up to its parent and to the structure of the document a page refers to all others.
      const [dictionary] = body.split(/\bstream\r?\n/, 1);
      const below = references(dictionary!.replace(/\/(?:Parent|StructParents?|P) \d+ 0 R/g, ''));
      return below.reduce((bytes, id) => {
        if (needed.has(id)) return bytes;
        needed.add(id);
        return bytes + visit(objects.get(id)!);
      }, body.length);
    };
    return visit(page);
  });
}

function pageObjects(objects: Map<string, string>): string[] {
  const kids = [...objects.values()].find((body) => /\/Type \/Pages\b/.test(body))!;
  return references(/\/Kids \[([^\]]*)\]/.exec(kids)![1]!).map((page) => objects.get(page)!);
}

function objectsOf(pdf: Uint8Array): Map<string, string> {
  const text = Buffer.from(pdf).toString('latin1');
  return new Map([...text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id, body]) => [id!, body!]));
}

function references(text: string): string[] {
  return [...text.matchAll(/(\d+) 0 R/g)].map(([, id]) => id!);
}

function pageText(objects: Map<string, string>, page: string): string {
  const fonts = fontsOf(objects, objects.get(/\/Resources (\d+) 0 R/.exec(page)![1]!)!);
  const content = streamOf(objects.get(/\/Contents (\d+) 0 R/.exec(page)![1]!)!);
  const lines = [...content.matchAll(/BT\n([\s\S]*?)\nET/g)].map(([, line]) => {
    const font = fonts.get(/\/(F\d+) [\d.]+ Tf/.exec(line!)![1]!)!;
    return [...line!.matchAll(/<([0-9a-f]+)>/g)]
      .map(([, codes]) =>
        codes!
          .match(/.{4}/g)!
          .map((code) => font.get(parseInt(code, 16)) ?? '')
          .join(''),
      )
      .join('');
  });
  return lines.join('\n');
}

/** Signs of each font by their codes (ISO 32000-1, 9.10.3). */
function fontsOf(objects: Map<string, string>, resources: string): Map<string, Map<number, string>> {
  return new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => {
      const toUnicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!)!)![1]!;
      return [name!, signsOf(streamOf(objects.get(toUnicode)!))];
    }),
  );
}

function signsOf(map: string): Map<number, string> {
  const signs = new Map<number, string>();
  for (const [, first, list] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    [...list!.matchAll(/<([0-9a-f ]*)>/g)].forEach(([, units], index) =>
      signs.set(
        parseInt(first!, 16) + index,
        Buffer.from(units!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
      ),
    );
  }
  return signs;
}

function streamOf(body: string): string {
  const [, bytes] = /stream\r?\n([\s\S]*?)\nendstream/.exec(body)!;
  return inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1');
}
