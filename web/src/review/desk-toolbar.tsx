import { Button } from '../shared/components/controls.js';
import type { Tool } from './outline-editor.js';
import type { WorkHistory } from './outline-history.js';
import { fill } from './words/words.js';
import type { Words } from './words/en.js';

const TOOLS = ['points', 'add', 'erase', 'ruler'] as const;
export const BRUSH_SIZES = { least: 2, most: 90, usual: 22 } as const;

interface ToolbarProps {
  readonly tool: Tool;
  readonly choose: (tool: Tool) => void;
  readonly brushSize: number;
  readonly resize: (size: number) => void;
  readonly work: WorkHistory;
  readonly addWound: () => void;
  readonly words: Words;
}

/** What changes the outlines: the tool in hand, steps back and forth, wounds more and fewer. */
export function DeskToolbar({ tool, choose, brushSize, resize, work, addWound, words }: ToolbarProps) {
  const names = { points: words.toolPoints, add: words.toolAdd, erase: words.toolErase, ruler: words.toolRuler };
  const isBrush = tool === 'add' || tool === 'erase';
  return (
    <>
      <div className="desk-tools" role="group" aria-label={words.tool}>
        {TOOLS.map((one) => (
          <Button
            key={one}
            look={one === tool ? 'primary' : 'plain'}
            aria-pressed={one === tool}
            onPress={() => choose(one)}
          >
            {names[one]}
          </Button>
        ))}
      </div>
      {isBrush ? (
        <label className="desk-size">
          {words.brushSize}
          <input
            className="desk-slider"
            type="range"
            min={BRUSH_SIZES.least}
            max={BRUSH_SIZES.most}
            value={brushSize}
            onChange={(event) => resize(Number(event.target.value))}
          />
        </label>
      ) : null}
      <div className="desk-tools">
        <Button isDisabled={!work.canUndo} onPress={work.undo}>
          {words.undo}
        </Button>
        <Button isDisabled={!work.canRedo} onPress={work.redo}>
          {words.redo}
        </Button>
        <Button onPress={addWound}>{words.addWound}</Button>
        {work.outlines.map((_, index) => (
          <Button key={index} onPress={() => work.change(work.outlines.toSpliced(index, 1))}>
            {fill(words.removeWound, { outline: index + 1 })}
          </Button>
        ))}
      </div>
      <p className="hint">
        {isBrush ? words.brushHelp : tool === 'points' ? words.editHelp : words.rulerHelp} {words.viewHelp}
      </p>
    </>
  );
}
