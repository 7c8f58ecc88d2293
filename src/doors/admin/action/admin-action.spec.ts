import { z } from 'zod';
import type { OperatorAct } from '../../../core/audit/operator-trail.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { runCli } from '../../../platform/cli/run-cli.js';
import { perform, type AdminAction, type Tokens } from './admin-action.js';
import { commandsOf } from './action-command.js';
import { adminGroup } from './admin-group.js';

class Doors {
  readonly painted: unknown[] = [];
}

const { action, group } = adminGroup({ doors: Doors });
const act = (interaction: string): OperatorAct => ({ interaction, action: 'U', resources: [] });

const paint = action({
  name: 'paintDoor',
  route: 'POST /organizations/:organizationId/doors/:doorId',
  does: 'Paint a door',
  who: 'integrator',
  body: z.strictObject({
    colour: z.string(),
    coats: z.int().max(3).nullable().optional(),
    isGlossy: z.boolean().optional(),
    hinges: z.array(z.string()).optional(),
  }),
  run: ({ doors }, input) => Promise.resolve(doors.painted.push(input)),
  trail: { before: (_, { doorId }) => act(`paint ${doorId}`) },
  command: {
    usage: 'door paint --org ID --door ID --colour NAME [--coats N|none] [--glossy on|off] [--hinges NAME,…|none]',
    options: { doorId: 'door', isGlossy: 'glossy' },
    prints: (count, { doorId }) => ({ json: { count }, text: `${doorId} is painted.` }),
  },
});

const failing = { record: () => Promise.reject(new SuturaError('service.unavailable')) };

function ground(trail?: object) {
  const acts: string[] = [];
  const doors = new Doors();
  const kept = { record: (_: unknown, { interaction }: OperatorAct) => Promise.resolve(acts.push(interaction)) };
  const context = { doors, operator: { door: 'cli', name: 'operator:root' }, trail: trail ?? kept };
  return { acts, doors, context: context as never };
}

const INPUT = { organizationId: 'o-1', doorId: 'd-1', colour: 'green' };

describe('the trail', () => {
  it('stops an action that it must have beforehand and cannot', async () => {
    const { doors, context } = ground(failing);
    await expect(perform(paint, context, INPUT)).rejects.toThrow(new SuturaError('service.unavailable'));
    expect(doors.painted).toEqual([]);
  });

  it('stops only the answer of an action that it has afterwards', async () => {
    const { doors, context } = ground(failing);
    const later = { ...paint, trail: { after: () => act('paint') } };
    await expect(perform(later, context, INPUT)).rejects.toThrow(new SuturaError('service.unavailable'));
    expect(doors.painted).toEqual([INPUT]);
  });

  it('has one act', async () => {
    const { acts, doors, context } = ground();
    expect(await perform(paint, context, INPUT)).toBe(1);
    expect([acts, doors.painted]).toEqual([['paint d-1'], [INPUT]]);
  });
});

describe('the command', () => {
  const run = async (...options: string[]) => {
    const { doors, context } = ground();
    let said = '';
    const output = { out: (text: string) => (said += text), err: (text: string) => (said += text) };
    const code = await runCli(['door', 'paint', ...options], commandsOf(paint), () => Promise.resolve(context), output);
    return { code, said, painted: doors.painted };
  };
  const named = ['--org', 'o-1', '--door', 'd-1'];

  it.each([
    [[], '--org is missing.'],
    [['--org', 'o-1'], '--door is missing.'],
    [named, '--colour is missing.'],
    [[...named, '--colour', 'green', '--coats', 'many'], '--coats must be a whole number.'],
    [[...named, '--colour', 'green', '--coats', '4'], '--coats must be at most 3.'],
    [[...named, '--colour', 'green', '--glossy', 'yes'], '--glossy must be on or off.'],
    [[...named, '--colour', 'green', '--smell', 'fresh'], "Unknown option '--smell'"],
  ])('%j is refused: %s', async (options, words) => {
    const { code, said, painted } = await run(...options);
    expect([code, painted]).toEqual([2, []]);
    expect(said).toContain(words);
  });

  it('reads each option as the schema of its field says', async () => {
    const options = ['--colour', 'green', '--coats', 'none', '--glossy', 'on', '--hinges', 'Left,right'];
    const { code, said, painted } = await run(...named, ...options);
    expect([code, said]).toEqual([0, 'd-1 is painted.']);
    expect(painted).toEqual([{ ...INPUT, coats: null, isGlossy: true, hinges: ['left', 'right'] }]);
  });

  it('leaves out what is not named', async () => {
    expect((await run(...named, '--colour', 'green', '--hinges', 'none')).painted).toEqual([{ ...INPUT, hinges: [] }]);
  });

  it('says what the action does where it has no words of its own', () => {
    expect(commandsOf(paint).map(({ summary }) => summary)).toEqual(['Paint a door.']);
  });
});

describe('a group', () => {
  const erased = paint as unknown as AdminAction<{ readonly doors: typeof Doors } & Tokens>;

  it.each([
    ['o-2', 'organization.not_found', []],
    ['o-1', undefined, [INPUT]],
  ])('runs the command of a known organization alone: %s', async (org, refusal, painted) => {
    const { doors, context } = ground();
    const findOrganization = (id: string) =>
      id === 'o-1' ? Promise.resolve({ id }) : Promise.reject(new SuturaError('organization.not_found'));
    const [command] = group('DoorsController', [erased]).commands.commands;
    const run = command!.prepare({ org, door: 'd-1', colour: 'green' });
    const code = await run({ ...(context as object), organizations: { findOrganization } } as never).then(
      () => undefined,
      ({ code }: SuturaError) => code,
    );
    expect([code, doors.painted]).toEqual([refusal, painted]);
  });

  it('is refused with an option that no field has', () => {
    const wrong = { ...erased, command: { usage: 'door paint --org ID --door ID --color NAME' } };
    expect(() => group('DoorsController', [wrong])).toThrow(
      '"door paint --org ID --door ID --color NAME" has options that paintDoor does not take: door, color',
    );
  });

  it('is refused with a query whose fields are not described', () => {
    const query = z.strictObject({ organizationId: z.uuid() });
    const vague = { ...erased, body: undefined, query };
    expect(() => group('DoorsController', [vague as never])).toThrow('organizationId of a query lacks its description');
  });

  it('takes --id for an id of the path', async () => {
    const ring = action({
      name: 'ringBell',
      route: 'POST /doors/:doorId/ring',
      does: 'Ring the bell of a door',
      who: 'viewer',
      run: ({ doors }, input) => Promise.resolve(doors.painted.push(input)),
      trail: 'none',
      command: {
        usage: 'door ring --id ID',
        prints: (_, { doorId }) => ({ json: { doorId }, text: `${doorId} rang.` }),
      },
    });
    const { context } = ground();
    const run = commandsOf(ring)[0]!.prepare({ id: 'd-7' });
    expect((await run(context)).text).toBe('d-7 rang.');
  });

  it('is refused with an action that does not say where its organization is named', () => {
    const nowhere = action({
      name: 'x',
      route: 'GET /doors',
      does: 'X',
      who: 'viewer',
      run: () => Promise.resolve(1),
      trail: 'none',
    });
    expect(() => group('DoorsController', [nowhere])).toThrow('says where the organization is named');
  });
});
