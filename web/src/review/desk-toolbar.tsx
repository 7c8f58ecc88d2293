import { Button } from '../shared/components/controls.js';
import type { Tool } from './editor-parts.js';
import type { WorkHistory } from './outline-history.js';
import type { Words } from './words/en.js';

const TOOLS = ['points', 'add', 'erase', 'ruler'] as const;
export const BRUSH_SIZES = { least: 2, most: 90, usual: 22 } as const;

interface ToolbarProps {
  readonly tool: Tool;
  readonly choose: (tool: Tool) => void;
  readonly brushSize: number;
  readonly resize: (size: number) => void;
  readonly work: WorkHistory;
  readonly words: Words;
}

/** What changes the outlines: the tool in hand, steps back and forth. */
export function DeskToolbar({ tool, choose, brushSize, resize, work, words }: ToolbarProps) {
  const names = { points: words.toolPoints, add: words.toolAdd, erase: words.toolErase, ruler: words.toolRuler };
  const isBrush = tool === 'add' || tool === 'erase';
  const help = isBrush ? words.brushHelp : tool === 'points' ? words.editHelp : words.rulerHelp;
  return (
    <div className="desk-tools desk-toolbar">
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
      <div className="desk-tools">
        <Button aria-label={words.undo} isDisabled={!work.canUndo} onPress={work.undo}>
          <Step d="M7 4 3 8l4 4M3 8h7a4 4 0 0 1 0 8H8" />
        </Button>
        <Button aria-label={words.redo} isDisabled={!work.canRedo} onPress={work.redo}>
          <Step d="m13 4 4 4-4 4M17 8h-7a4 4 0 0 0 0 8h2" />
        </Button>
      </div>
      <details className="desk-help">
        <summary>{words.help}</summary>
        <p>
          {help} {words.viewHelp}
        </p>
      </details>
      {isBrush ? (
        <label className="desk-size desk-brush-size">
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
    </div>
  );
}

/** An arrow that turns back, or forth again. */
function Step({ d }: { readonly d: string }) {
  return (
    <svg className="desk-step" viewBox="0 0 20 20" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}
