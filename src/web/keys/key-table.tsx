import type { ApiKeysService } from '../../auth/api-keys.service.js';
import { isAccountScope, SCOPES } from '../../auth/scopes.js';
import type { NamedAccount } from './create-key.js';
import { ConfirmPassword, Form, SelectField, Submit, useRefused } from '../components/form.js';
import { Names } from '../components/names.js';
import { Moment } from '../components/when.js';

export type ShownKey = Awaited<ReturnType<ApiKeysService['list']>>[number];

/** Further accounts of a key are only counted. */
const MAX_NAMES = 20;

interface KeyTableProps {
  keys: readonly ShownKey[];
  accounts: readonly NamedAccount[];
  now: Date;
}

/** All keys. Revoked ones stay listed. */
export function KeyTable({ keys, ...shared }: KeyTableProps) {
  return (
    <ul class="card rows" aria-label="Your keys">
      {keys.map((apiKey) => (
        <KeyLine key={apiKey.id} apiKey={apiKey} {...shared} />
      ))}
    </ul>
  );
}

function KeyLine({ apiKey, accounts, now }: Omit<KeyTableProps, 'keys'> & { apiKey: ShownKey }) {
  const { id, name, hint, scopes, accountIds, lastUsedAt, expiresAt, revokedAt, previousValidUntil } = apiKey;
  const hasOverlap = revokedAt === null && previousValidUntil !== null && previousValidUntil > now;
  const ended = revokedAt !== null || (expiresAt !== null && expiresAt <= now);
  return (
    <li class="line">
      <div>
        <p>
          <b>{name}</b> <code class="quiet">{hint}</code> <Ended revoked={revokedAt !== null} ended={ended} />
        </p>
        <p class="quiet small">
          {scopesText(scopes, accountIds !== null)}
          {accountIds && ' · '}
          {accountIds && <OnlyAccounts ids={accountIds} accounts={accounts} />}
          {' · '}
          {lastUsedAt ? 'last used ' : 'never used'}
          {lastUsedAt && <Moment at={lastUsedAt} />}
          {expiresAt && (ended ? ' · expired ' : ' · expires ')}
          {expiresAt && <Moment at={expiresAt} />}
          {hasOverlap && ' · the old secret works until '}
          {hasOverlap && <Moment at={previousValidUntil} />}
        </p>
      </div>
      {!ended && <RotateKey {...apiKey} />}
      {!ended && (
        <details>
          <summary aria-label={`Revoke ${name}`}>Revoke</summary>
          <Form action={`/keys/${id}/revoke`} class="stack">
            <p class="small">Programs that use this key stop working immediately.</p>
            <button type="submit" class="danger small">
              Revoke permanently
            </button>
          </Form>
        </details>
      )}
    </li>
  );
}

function Ended({ revoked, ended }: { revoked: boolean; ended: boolean }) {
  if (!ended) return null;
  return <span class="badge">{revoked ? 'Revoked' : 'Expired'}</span>;
}

/** @param isLimited to accounts: then it has all that such a key may have */
function scopesText(scopes: readonly string[], isLimited: boolean): string {
  const possible = isLimited ? SCOPES.filter(isAccountScope) : SCOPES;
  const reads = possible.filter((scope) => scope.endsWith(':read'));
  if (scopes.length === possible.length) return 'Full access';
  if (scopes.length === reads.length && reads.every((scope) => scopes.includes(scope))) return 'Read only';
  return scopes.join(', ');
}

function OnlyAccounts({ ids, accounts }: { ids: readonly string[]; accounts: readonly NamedAccount[] }) {
  const existing = accounts.filter(({ id }) => ids.includes(id));
  if (existing.length === 0) return <>only accounts that no longer exist</>;
  return (
    <>
      only <Names of={existing} max={MAX_NAMES} />
    </>
  );
}

/** For how many hours the old secret still works. */
export const OVERLAPS = [
  { value: '24', text: 'Works for another day' },
  { value: '1', text: 'Works for another hour' },
  { value: '168', text: 'Works for another week' },
  { value: '0', text: 'Stops working immediately' },
];

function RotateKey({ id, name }: Pick<ShownKey, 'id' | 'name'>) {
  const action = `/keys/${id}/rotate`;
  return (
    <details open={useRefused(action) !== null}>
      <summary aria-label={`Rotate ${name}`}>Rotate</summary>
      <Form action={action} class="stack">
        <p class="small">The key gets a new secret. Its name, permissions and expiry stay the same.</p>
        <SelectField
          id={`overlap-${id}`}
          name="overlap"
          label="Old secret"
          selected={OVERLAPS[0]!.value}
          options={OVERLAPS}
        />
        <ConfirmPassword id={`rotate-password-${id}`} />
        <Submit class="second small">Create new secret</Submit>
      </Form>
    </details>
  );
}
