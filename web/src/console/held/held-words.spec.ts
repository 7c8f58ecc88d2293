import { ACTION_WORDS, labelOf, linksOf, questionOf } from './held-words.js';

describe('what a person decides by an action', () => {
  it('is named by the action alone where the reason says nothing else', () => {
    expect(labelOf('identity_conflict', 'discard')).toBe(ACTION_WORDS.discard.label);
    expect(questionOf('identity_conflict', 'discard')).toBe(ACTION_WORDS.discard.question);
  });

  it.each([
    ['patient_unknown', 'accept', 'It is a new patient', /mistyped number/],
    ['patient_unknown', 'discard', ACTION_WORDS.discard.label, /of messages nothing is ever filed/],
    ['wound_unclear', 'link', 'It is the wound …', /course of the wound that you named/],
    ['patient_unknown', 'retry', 'Try it again', /read once more/],
    ['wound_unclear', 'wait', ACTION_WORDS.wait.label, /Nothing is said of which wound/],
  ] as const)('of %s, %s: it is "%s"', (reason, action, label, question) => {
    expect(labelOf(reason, action)).toBe(label);
    expect(questionOf(reason, action)).toMatch(question);
  });

  it('rests on what came, each thing behind a link', () => {
    const came = {
      messageIds: ['m1'],
      resources: ['BodyStructure/w1'],
      jobIds: ['j1'],
      imageIds: [],
      patientIds: [],
      orders: [],
    };
    expect(linksOf({ came })).toEqual([
      { words: 'message m1', to: '/messages/m1' },
      { words: 'job j1', to: '/search?q=j1' },
      { words: 'BodyStructure/w1', to: '/search?q=w1' },
    ]);
  });
});
