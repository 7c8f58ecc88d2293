import type { OrderAction } from '../plan/inbound-plan.js';
import { lookUp } from '../../er7/table-lookup.js';

/** ORC-1 of orders (table 0119) and what each asks for. Status messages of the placer ask for nothing. */
const CONTROLS: Readonly<Record<string, OrderAction['kind']>> = {
  NW: 'create',
  XO: 'change',
  RP: 'change',
  CA: 'cancel',
  DC: 'cancel',
  HD: 'hold',
  RL: 'release',
  ...{ SN: 'none', SC: 'none', SR: 'none', RE: 'none' },
};

/** null: a code that is not taken. */
export function orderActionOf(control: string): OrderAction | null {
  const kind = lookUp(CONTROLS, control);
  return kind === undefined ? null : { control, kind };
}
