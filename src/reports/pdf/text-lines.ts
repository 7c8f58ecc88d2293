import type { Document } from './pdf-page.js';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Lines that fit a width in the document's present font and size, broken between words; a word wider than a line is cut. */
export function breakLines(document: Document, text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => breakParagraph(document, paragraph, width));
}

/** As much of a text as fits on one line; what is left out is shown as left out. */
export function fitLine(document: Document, text: string, width: number): string {
  if (document.widthOfString(text) <= width) return text;
  const [line] = cutWord(document, text, width - document.widthOfString('…'));
  return `${line!.trimEnd()}…`;
}

function breakParagraph(document: Document, paragraph: string, width: number): string[] {
  const space = document.widthOfString(' ');
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of paragraph.split(/ +/).flatMap((long) => cutWord(document, long, width))) {
    const wide = document.widthOfString(word);
    if (line === '' || used + space + wide <= width) {
      used += line === '' ? wide : space + wide;
      line = line === '' ? word : `${line} ${word}`;
      continue;
    }
    lines.push(line);
    [line, used] = [word, wide];
  }
  return [...lines, line];
}

function cutWord(document: Document, word: string, width: number): string[] {
  if (document.widthOfString(word) <= width) return [word];
  const parts: string[] = [];
  let [part, used] = ['', 0];
  for (const { segment } of graphemes.segment(word)) {
    const wide = document.widthOfString(segment);
    if (part !== '' && used + wide > width) {
      const [head, tail] = atHyphen(part);
      parts.push(head);
      [part, used] = [tail, document.widthOfString(tail)];
    }
    part += segment;
    used += wide;
  }
  return [...parts, part];
}

/** Parted after its last hyphen or stroke, where that leaves at least half of it. */
function atHyphen(part: string): readonly [string, string] {
  const end = Math.max(part.lastIndexOf('-'), part.lastIndexOf('/')) + 1;
  return end > part.length / 2 ? [part.slice(0, end), part.slice(end)] : [part, ''];
}
