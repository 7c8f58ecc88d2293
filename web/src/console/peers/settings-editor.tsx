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
  const [text, setText] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (after: Settings) => ask('PATCH', path, { body: toChange(settings, after) }),
    onSuccess: () => {
      announce(`The settings of ${of} are changed; they hold within seconds.`);
      setText(null);
      return queries.invalidateQueries({ queryKey: ['read'] });
    },
  });
  if (text === null) return <Button onPress={() => setText(JSON.stringify(settings, null, 2))}>Change settings</Button>;
  const read = readSettings(text);
  const changed = typeof read === 'string' ? {} : changedSettings(settings, read);
  return (
    <div className="stack">
      <label className="field">
        <span className="label">Settings of {of}</span>
        <textarea
          className="input mono"
          rows={14}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {typeof read === 'string' ? <p className="notice warn">{read}</p> : null}
      <RefusalNotice fault={save.error} />
      <div className="row">
        <Button
          look="primary"
          isDisabled={Object.keys(changed).length === 0 || save.isPending}
          onPress={() => (typeof read === 'string' ? undefined : save.mutate(read))}
        >
          Save {Object.keys(changed).join(', ')}
        </Button>
        <Button onPress={() => setText(null)}>Leave it</Button>
      </div>
    </div>
  );
}
