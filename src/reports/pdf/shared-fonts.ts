import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';

type Document = InstanceType<typeof PDFDocument>;

/** Names under which the fonts are known in a document. They are embedded: a page looks the same everywhere. */
export const REGULAR = 'regular';
export const BOLD = 'bold';
export type FontName = typeof REGULAR | typeof BOLD;

const require = createRequire(import.meta.url);
const FONT_FILES: Readonly<Record<FontName, string>> = {
  [REGULAR]: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  [BOLD]: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
};
/** So many words, set, are remembered: a few times what all texts of all languages have. */
const MOST_WORDS = 8000;

type Glyph = object;

/** A font as fontkit, within pdfkit, has it open. */
interface OpenFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
  getGlyph(id: number, characters?: readonly number[]): Glyph;
  /** fontkit's own memory of glyphs, by id alone. */
  readonly _glyphs: Record<number, Glyph | null>;
}

/** A font as one document has it. */
interface EmbeddedFont {
  readonly font: OpenFont;
  layoutCache: Record<string, unknown>;
}

interface SharedFont {
  readonly font: OpenFont;
  /** Words and where their glyphs go: setting a word takes longer than drawing it. */
  words: Record<string, unknown>;
}

const SHARED = new Map<FontName, SharedFont>();

/**
 * Gives a document both fonts. Each is read once in the life of the process, which takes longer than a page;
 * what a document embeds of it is its own, so that its bytes do not depend on the documents before.
 */
export function registerFonts(document: Document): void {
  for (const name of [REGULAR, BOLD] as const) {
    const known = SHARED.get(name);
    // pdfkit takes an open font in place of a file; its types do not say so.
    document.registerFont(name, (known?.font ?? require.resolve(FONT_FILES[name])) as string);
    const embedded = embeddedFontOf(document.font(name));
    const shared = known ?? share(name, embedded.font);
    if (Object.keys(shared.words).length > MOST_WORDS) shared.words = Object.create(null) as SharedFont['words'];
    embedded.layoutCache = shared.words;
  }
}

/** True for a character that both fonts can print; known once a document was opened. */
export function isPrintable(codePoint: number): boolean {
  return [...SHARED.values()].every(({ font }) => font.hasGlyphForCodePoint(codePoint));
}

function share(name: FontName, font: OpenFont): SharedFont {
  rememberByCharacters(font);
  const shared = { font, words: Object.create(null) as SharedFont['words'] };
  SHARED.set(name, shared);
  return shared;
}

/**
 * fontkit remembers a glyph with the characters that it first stood for, and pdfkit writes those into the file for whoever selects text.
 * An e that was first met as a part of é would have none, in every later document.
 */
function rememberByCharacters(font: OpenFont): void {
  const make = font.getGlyph.bind(font);
  const glyphs = new Map<string, Glyph>();
  font.getGlyph = (id, characters = []) => {
    const key = `${id}:${characters.join()}`;
    const known = glyphs.get(key);
    if (known !== undefined) return known;
    font._glyphs[id] = null;
    const glyph = make(id, characters);
    glyphs.set(key, glyph);
    return glyph;
  };
}

function embeddedFontOf(document: Document): EmbeddedFont {
  return (document as Document & { readonly _font: EmbeddedFont })._font;
}
