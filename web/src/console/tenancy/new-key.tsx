import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SCOPES, type Scope } from '../../../../src/core/tenancy/api-key.js';
import { ENVIRONMENTS } from '../../../../src/core/tenancy/tenant.js';
import { ask } from '../../shared/api.js';
import { Button, Checkbox } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { ShownOnce } from '../shared/shown-once.js';

/** An API key with the scopes that are ticked. */
export function NewKey({ organizationId }: { readonly organizationId: string }) {
  const queries = useQueryClient();
  const [scopes, setScopes] = useState<readonly Scope[]>(['images:write', 'analysis:write', 'analysis:read']);
  const [environment, setEnvironment] = useState('test');
  const make = useMutation({
    mutationFn: async () =>
      (
        await ask<{ key: string }>('POST', `/admin/v1/organizations/${organizationId}/keys`, {
          body: { environment, scopes },
        })
      ).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['read'] }),
  });
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <fieldset className="stack card">
      <legend>A new key</legend>
      <div className="row">
        <label className="row">
          Environment{' '}
          <select className="input" value={environment} onChange={(event) => setEnvironment(event.target.value)}>
            {ENVIRONMENTS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        {SCOPES.map((scope) => (
          <Checkbox key={scope} label={scope} checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
        ))}
      </div>
      <RefusalNotice fault={make.error} />
      {make.data === undefined ? null : <ShownOnce what="The key" text={make.data.key} />}
      <div>
        <Button isDisabled={scopes.length === 0 || make.isPending} onPress={() => make.mutate()}>
          Make the key
        </Button>
      </div>
    </fieldset>
  );
}
