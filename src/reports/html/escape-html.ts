const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Text as it may stand in a quoted CSS string inside a style element. */
export function escapeCssString(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,·…]/gu, (character) => `\\${character.codePointAt(0)!.toString(16)} `);
}
