import { scaleFault } from '../../../src/core/measurement/scale-plausibility.js';
import { Button, TextField } from '../shared/components/controls.js';
import type { DeskForm } from './desk-form.js';
import type { WorkHistory } from './outline-history.js';
import type { PhotoSize } from './editor-parts.js';
import type { DeskPart } from './desk-part.js';
import type { Line } from './types.js';

const MM_PER = { mm: 1, cm: 10 } as const;
type Unit = keyof typeof MM_PER;

interface RulerFormProps extends Pick<DeskPart, 'words'> {
  readonly line: Line;
  readonly form: DeskForm;
  readonly size: PhotoSize;
  readonly work: WorkHistory;
}

/** The length between the two points, which makes a scale of them. */
export function RulerForm({ line, form, size, work, words }: RulerFormProps) {
  const [from, to] = line;
  const { distance: typed, unit } = form;
  const pixels = Math.hypot(to[0] - from[0], to[1] - from[1]);
  // A comma is the decimal mark of three of the four languages.
  const distanceMm = /^\d+(?:[.,]\d+)?$/.test(typed.trim()) ? Number(typed.trim().replace(',', '.')) * MM_PER[unit] : 0;
  const mmPerPixel = Number((distanceMm / pixels).toPrecision(4));
  const isTyped = distanceMm > 0;
  const isPlausible = isTyped && pixels >= 1 && scaleFault(mmPerPixel, size) === null;
  return (
    <fieldset className="desk-ruler-form">
      <legend>{words.toolRuler}</legend>
      <p className="hint">{words.rulerHelp}</p>
      <div className="desk-tools">
        <TextField
          label={words.distance}
          value={typed}
          onChange={(distance) => form.change({ distance, line })}
          inputMode="decimal"
          maxLength={10}
        />
        <label className="field">
          {words.unit}
          <select
            className="input"
            value={unit}
            onChange={(event) => form.change({ unit: event.target.value as Unit, line })}
          >
            <option value="mm">mm</option>
            <option value="cm">cm</option>
          </select>
        </label>
        <Button look="primary" isDisabled={!isPlausible} onPress={() => work.setScale(mmPerPixel)}>
          {words.useScale}
        </Button>
        {work.mmPerPixel === null ? null : <Button onPress={() => work.setScale(null)}>{words.dropScale}</Button>}
      </div>
      <p role="status">{isTyped && !isPlausible ? words.scaleFault : ''}</p>
    </fieldset>
  );
}
