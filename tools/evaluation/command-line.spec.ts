import { USAGE, UsageError, readOrder } from './command-line.js';

const FOLDERS = ['--images', 'a', '--masks', 'b'];

describe('readOrder', () => {
  it.each([
    [['--images', 'a'], '--images and --masks are needed.'],
    [[...FOLDERS, '--ids', 'x', '--split', 'y'], 'give one'],
    [[...FOLDERS, '--limit', '0'], '--limit'],
    [[...FOLDERS, '--limit', 'many'], '--limit'],
    [[...FOLDERS, '--sheet', 'sheet.png'], '.jpg'],
    [[...FOLDERS, '--model', '../elsewhere'], 'folder below SUTURA_MODELS_DIR'],
    [[...FOLDERS, '--colour'], '--colour'],
    [[...FOLDERS, 'more'], 'more'],
  ])('refuses %j', (words, reason) => {
    expect(() => readOrder(words)).toThrow(UsageError);
    expect(() => readOrder(words)).toThrow(reason);
  });

  it('takes the settings’ model, every picture and the table where nothing else is said', () => {
    expect(readOrder(FOLDERS)).toEqual({
      images: 'a',
      masks: 'b',
      model: null,
      idsFile: null,
      limit: null,
      isTissue: false,
      sheetFile: null,
      isJson: false,
    });
  });

  it('reads all options', () => {
    const words = [
      ...FOLDERS,
      '--model',
      'fast',
      '--split',
      'ids.txt',
      '--limit',
      '12',
      '--tissue',
      '--sheet',
      'worst.JPG',
      '--json',
    ];
    expect(readOrder(words)).toEqual({
      images: 'a',
      masks: 'b',
      model: 'fast',
      idsFile: 'ids.txt',
      limit: 12,
      isTissue: true,
      sheetFile: 'worst.JPG',
      isJson: true,
    });
  });

  it('explains itself, and every option it knows', () => {
    expect(readOrder(['--help'])).toBe('help');
    for (const option of ['images', 'masks', 'model', 'ids', 'split', 'limit', 'tissue', 'sheet', 'json', 'help'])
      expect(USAGE).toContain(`--${option}`);
  });
});
