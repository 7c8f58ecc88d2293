import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.js';
import { Button } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { useAnnounce } from '../shared/announcements.js';
import { changedSettings, readSettings } from '../shared/changed-settings.js';

interface SettingsEditorProps {
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** What the settings are of, for a screen reader. */
  readonly of: string;
  /** What is sent to change them; the changed settings as `settings` where it is not stated. */
  readonly toChange?: (before: Settings, after: Settings) => object;
}

type Settings = SettingsEditorProps['settings'];

/** As listeners and destinations take it. */
const asSettings = (before: Settings, after: Settings) => ({ settings: changedSettings(before, after) });

/** The settings of a listener, destination or EHR as JSON; what changed is sent, and the gateway says what is wrong with it. */
export function SettingsEditor({ path, settings, of, toChange = asSettings }: SettingsEditorProps) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  /** What is typed, and the settings as they were when it was begun: another's change meanwhile is not undone by it. */
  const [typed, type] = useState<{ readonly text: string; readonly before: Settings } | null>(null);
  const save = useMutation({
    mutationFn: ({ before, after }: { readonly before: Settings; readonly after: Settings }) =>
      ask('PATCH', path, { body: toChange(before, after) }),
    onSuccess: () => {
      announce(`The settings of ${of} are changed; they hold within seconds.`);
      type(null);
      return queries.invalidateQueries({ queryKey: ['read'] });
    },
  });
  if (typed === null) {
    const begin = () => type({ text: JSON.stringify(settings, null, 2), before: settings });
    return <Button onPress={begin}>Change settings</Button>;
  }
  const { text, before } = typed;
  const read = readSettings(text);
  const changed = typeof read === 'string' ? {} : changedSettings(before, read);
  return (
    <div className="stack">
      <label className="field">
        <span className="label">Settings of {of}</span>
        <textarea
          className="input mono"
          rows={14}
          spellCheck={false}
          value={text}
          onChange={(event) => type({ text: event.target.value, before })}
        />
      </label>
      {typeof read === 'string' ? <p className="notice warn">{read}</p> : null}
      <RefusalNotice fault={save.error} />
      <div className="row">
        <Button
          look="primary"
          isDisabled={Object.keys(changed).length === 0 || save.isPending}
          onPress={() => (typeof read === 'string' ? undefined : save.mutate({ before, after: read }))}
        >
          Save {Object.keys(changed).join(', ')}
        </Button>
        <Button onPress={() => type(null)}>Leave it</Button>
      </div>
    </div>
  );
}
