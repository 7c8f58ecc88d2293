/** What a card says beside the sentences of the report. */
export const enCards = {
  'card.wound': 'Wound',
  'card.mayBeSpreading': 'The last area is far larger: it may be spreading fast, or another wound. Look now.',
  'card.milestone': 'Its area has shrunk by less than a published milestone for its kind of wound.',
  'card.waiting': 'Results that wait for a clinician: {count}.',
  'card.lastPhoto': 'Last photo: {date}.',
  'card.open': 'Open in Sutura',
} as const;
