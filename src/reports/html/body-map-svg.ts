import type { BodyMap, BodyMapView } from '../body-map/body-map.js';
import { escapeHtml } from './escape-html.js';

const MARKER_RADIUS = 6.5;

/** Outlines of the body with the wound's place marked, told in words to those who do not see them. */
export function bodyMapFigure({ views, sides, alt }: BodyMap): string {
  const drawn = views.map((view, index) => viewOf(view, sides, index === 0 ? alt : null)).join('');
  return `<figure class="body-map">${drawn}</figure>`;
}

/** The first view has the words of all. */
function viewOf({ drawing, caption, markers }: BodyMapView, sides: BodyMap['sides'], alt: string | null): string {
  const told = alt === null ? 'aria-hidden="true"' : `role="img" aria-label="${escapeHtml(alt)}"`;
  const letters = (['right', 'left'] as const).map(
    (side) =>
      `<text x="${drawing[side].x}" y="${drawing[side].y}" text-anchor="middle">${escapeHtml(sides[side])}</text>`,
  );
  const parts = [
    ...drawing.outlines.map((path) => `<path class="outline" d="${path}"/>`),
    ...drawing.details.map((path) => `<path class="detail" d="${path}"/>`),
    ...markers.map(
      ({ x, y }) =>
        `<circle class="place" cx="${x}" cy="${y}" r="${MARKER_RADIUS}"/><circle cx="${x}" cy="${y}" r="${MARKER_RADIUS * 0.36}"/>`,
    ),
    ...letters,
  ];
  return `<span><svg viewBox="-4 0 ${drawing.width + 8} ${drawing.height}" ${told}>${parts.join('')}</svg><span class="caption" aria-hidden="true">${escapeHtml(caption)}</span></span>`;
}
