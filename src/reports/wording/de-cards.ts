import type { enCards } from './en-cards.js';

export const deCards: Readonly<Record<keyof typeof enCards, string>> = {
  'card.wound': 'Wunde',
  'card.mayBeSpreading': 'Die letzte Fläche ist viel größer: Ausbreitung oder eine andere Wunde. Jetzt ansehen.',
  'card.milestone': 'Die Fläche ist um weniger kleiner geworden als ein publizierter Meilenstein für diese Wundart.',
  'card.waiting': 'Ergebnisse, die auf eine Fachkraft warten: {count}.',
  'card.lastPhoto': 'Letztes Foto: {date}.',
  'card.open': 'In Sutura öffnen',
};
