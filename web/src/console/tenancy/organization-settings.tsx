import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.js';
import { Button, Checkbox, TextField } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { useAnnounce } from '../shared/announcements.js';
import type { Organization } from '../shared/answers.js';
import { changedSettings } from '../shared/changed-settings.js';
import { Overtaken } from '../shared/overtaken.js';

const PLANS = ['free', 'pro', 'enterprise'];

/** The settings of an organization as fields of a form hold them. */
interface Draft {
  readonly name: string;
  readonly plan: string;
  /** Empty: the plan's own. */
  readonly dailyLimit: string;
  readonly resultPolicy: string;
  readonly autoAnalyze: boolean;
  readonly unservedTypes: string;
  /** One a line. */
  readonly imageHosts: string;
  readonly reviewFrameOrigins: string;
  readonly browserOrigins: string;
  readonly deliveryNetworks: string;
  /** Empty: the service's own. */
  readonly timeZone: string;
  /** Empty: never. */
  readonly unmatchedAfterMinutes: string;
}

/** Settings that are being changed, and the organization as it was when that began. */
interface Editing {
  readonly base: Organization;
  readonly draft: Draft;
}

/** Changes what an installation admin may change of an organization; only what was changed is sent, and only if nobody else was faster. */
export function OrganizationSettings({ organization }: { readonly organization: Organization }) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [editing, setEditing] = useState<Editing | null>(null);
  const save = useMutation({
    mutationFn: ({ change, ifMatch }: { readonly change: object; readonly ifMatch: string }) =>
      ask('PATCH', `/admin/v1/organizations/${organization.id}`, { body: change, ifMatch }),
    onSuccess: () => {
      announce(`${organization.name} is changed.`);
      setEditing(null);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['read'] }),
  });
  if (editing === null) {
    const begin = () => {
      save.reset();
      setEditing({ base: organization, draft: draftOf(organization) });
    };
    return <Button onPress={begin}>Change settings</Button>;
  }
  const { base, draft } = editing;
  const change = changedSettings(settingsOf(draftOf(base)), settingsOf(draft));
  const isOvertaken = organization.etag !== base.etag;
  const theirs = changedSettings(settingsOf(draftOf(base)), settingsOf(draftOf(organization)));
  const takeOver = () => {
    save.reset();
    setEditing({ base: organization, draft: withOthersChanges(editing, organization) });
  };
  return (
    <fieldset className="stack card">
      <legend>Settings of {organization.name}</legend>
      <SettingsFields draft={draft} set={(part) => setEditing({ base, draft: { ...draft, ...part } })} />
      {isFewer(organization, draft) ? (
        <p className="notice warn">
          Fewer analyses a day take effect at once: what comes after the limit is refused or waits until 00:00 UTC.
        </p>
      ) : null}
      <RefusalNotice fault={isOvertaken ? null : save.error} />
      {isOvertaken ? <Overtaken what={Object.keys(theirs).join(', ')} onTakeOver={takeOver} /> : null}
      <div className="row">
        <Button
          look="primary"
          isDisabled={Object.keys(change).length === 0 || draft.name.trim() === '' || save.isPending || isOvertaken}
          onPress={() => save.mutate({ change, ifMatch: base.etag })}
        >
          Save {Object.keys(change).join(', ')}
        </Button>
        <Button onPress={() => setEditing(null)}>Leave it</Button>
      </div>
    </fieldset>
  );
}

/** What was changed here as it stands here, all else as the organization has it now. */
function withOthersChanges({ base, draft }: Editing, organization: Organization): Draft {
  const [before, now] = [draftOf(base), draftOf(organization)];
  const mine = (Object.keys(draft) as (keyof Draft)[]).filter((name) => draft[name] !== before[name]);
  return { ...now, ...Object.fromEntries(mine.map((name) => [name, draft[name]])) };
}

interface SettingsFieldsProps {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
}

function SettingsFields({ draft, set }: SettingsFieldsProps) {
  return (
    <>
      <div className="filters">
        <TextField label="Name" value={draft.name} onChange={(name) => set({ name })} />
        <Choice label="Plan" value={draft.plan} options={PLANS} set={(plan) => set({ plan })} />
        <TextField
          label="Analyses a day"
          hint="empty: the plan's own"
          inputMode="numeric"
          value={draft.dailyLimit}
          onChange={(dailyLimit) => set({ dailyLimit })}
        />
        <Choice
          label="Results"
          value={draft.resultPolicy}
          options={['review', 'auto-final']}
          words={{ review: 'wait for a review', 'auto-final': 'are final at once' }}
          set={(resultPolicy) => set({ resultPolicy })}
        />
        <Choice
          label="FHIR types that are not kept"
          value={draft.unservedTypes}
          options={['refuse', 'ignore']}
          words={{ refuse: 'have their Bundle refused', ignore: 'are set aside' }}
          set={(unservedTypes) => set({ unservedTypes })}
        />
        <TextField
          label="Time zone of documents"
          hint="such as Europe/Berlin; empty: the service's own"
          value={draft.timeZone}
          onChange={(timeZone) => set({ timeZone })}
        />
        <TextField
          label="Minutes until a photo without an order, or an order without a photo, is listed"
          hint="empty: never"
          inputMode="numeric"
          value={draft.unmatchedAfterMinutes}
          onChange={(unmatchedAfterMinutes) => set({ unmatchedAfterMinutes })}
        />
      </div>
      <Checkbox
        label="Photos that come over FHIR without an order are analysed, too"
        checked={draft.autoAnalyze}
        onChange={(autoAnalyze) => set({ autoAnalyze })}
      />
      <Lines
        label="Hosts that photos are fetched from, one a line"
        value={draft.imageHosts}
        set={(imageHosts) => set({ imageHosts })}
      />
      <Lines
        label="Origins whose pages may show the review desk, one a line"
        value={draft.reviewFrameOrigins}
        set={(reviewFrameOrigins) => set({ reviewFrameOrigins })}
      />
      <Lines
        label="Origins whose pages may call the service with its keys, one a line"
        value={draft.browserOrigins}
        set={(browserOrigins) => set({ browserOrigins })}
      />
      <Lines
        label="Networks inside that its webhooks and Subscriptions may be sent to, one a line"
        value={draft.deliveryNetworks}
        set={(deliveryNetworks) => set({ deliveryNetworks })}
      />
    </>
  );
}

/** Makes an organization, for installation admins. */
export function NewOrganization() {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [name, setName] = useState('');
  const [plan, setPlan] = useState('free');
  const make = useMutation({
    mutationFn: () => ask('POST', '/admin/v1/organizations', { body: { name: name.trim(), plan } }),
    onSuccess: () => {
      announce(`The organization ${name.trim()} is made. Next it needs a key.`);
      setName('');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['read'] }),
  });
  return (
    <fieldset className="stack card">
      <legend>A new organization</legend>
      <div className="filters">
        <TextField label="Name of the organization" value={name} onChange={setName} />
        <Choice label="Its plan" value={plan} options={PLANS} set={setPlan} />
        <Button isDisabled={name.trim() === '' || make.isPending} onPress={() => make.mutate()}>
          Make the organization
        </Button>
      </div>
      <RefusalNotice fault={make.error} />
    </fieldset>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly words?: Readonly<Record<string, string>>;
  readonly set: (value: string) => void;
}

export function Choice({ label, value, options, words = {}, set }: ChoiceProps) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select className="input" value={value} onChange={(event) => set(event.target.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {words[option] ?? option}
          </option>
        ))}
      </select>
    </label>
  );
}

function Lines({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <textarea
        className="input mono"
        rows={2}
        spellCheck={false}
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    </label>
  );
}

function draftOf(organization: Organization): Draft {
  const { name, plan, dailyLimitOverride, resultPolicy, autoAnalyze, unservedTypes, timeZone } = organization;
  const { unmatchedAfterMinutes } = organization;
  return {
    name,
    plan,
    resultPolicy,
    autoAnalyze,
    unservedTypes,
    timeZone: timeZone ?? '',
    unmatchedAfterMinutes: unmatchedAfterMinutes === null ? '' : String(unmatchedAfterMinutes),
    dailyLimit: dailyLimitOverride === null ? '' : String(dailyLimitOverride),
    imageHosts: organization.imageHosts.join('\n'),
    reviewFrameOrigins: organization.reviewFrameOrigins.join('\n'),
    browserOrigins: organization.browserOrigins.join('\n'),
    deliveryNetworks: organization.deliveryNetworks.join('\n'),
  };
}

/** As the admin API takes them; what is no number is sent as it is, and refused there in words. */
function settingsOf(draft: Draft): Readonly<Record<string, unknown>> {
  const {
    dailyLimit,
    timeZone,
    unmatchedAfterMinutes,
    imageHosts,
    reviewFrameOrigins,
    browserOrigins,
    deliveryNetworks,
  } = draft;
  return {
    ...draft,
    name: draft.name.trim(),
    dailyLimit: numberIn(dailyLimit),
    timeZone: timeZone.trim() === '' ? null : timeZone.trim(),
    unmatchedAfterMinutes: numberIn(unmatchedAfterMinutes),
    imageHosts: linesOf(imageHosts),
    reviewFrameOrigins: linesOf(reviewFrameOrigins),
    browserOrigins: linesOf(browserOrigins),
    deliveryNetworks: linesOf(deliveryNetworks),
  };
}

function numberIn(text: string): number | string | null {
  const said = text.trim();
  return said === '' ? null : /^\d+$/.test(said) ? Number(said) : said;
}

const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== '');

function isFewer({ dailyLimit, plan }: Organization, draft: Draft): boolean {
  const isLower = draft.dailyLimit.trim() !== '' && Number(draft.dailyLimit) < dailyLimit;
  return isLower || PLANS.indexOf(draft.plan) < PLANS.indexOf(plan);
}
