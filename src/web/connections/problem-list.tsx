import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import type { SyncProblemResponse } from '../../sync/runs/sync.response.js';
import { Names } from '../components/names.js';
import { Notice } from '../components/notice.js';
import { Field } from '../components/form.js';
import type { ShownConnection } from './connection-views.js';

/** The problems with one remedy. */
interface ProblemGroup {
  kind: SyncProblemResponse['kind'];
  severity: SyncProblemResponse['severity'];
  action: string;
  findings: readonly ProblemFinding[];
}

/** The same problem of some accounts. */
interface ProblemFinding {
  message: string;
  accountIds: readonly string[];
}

/** The number of one account's transactions. */
const COUNT = /^\d+ transactions?/;

/**
 * One group per remedy, in the order of their first problems.
 *
 * @param accountNames by id: the name in front of a message is left out, since pages show it as a link
 */
export function groupProblems(
  problems: readonly SyncProblemResponse[],
  accountNames: ReadonlyMap<string, string>,
): ProblemGroup[] {
  const unnamed = ({ message, account_id: id }: SyncProblemResponse) => {
    const name = accountNames.get(id ?? '');
    return name !== undefined && message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
  };
  return [...Map.groupBy(problems, ({ kind, action }) => `${kind} ${action}`).values()].map((ofRemedy) => ({
    kind: ofRemedy[0]!.kind,
    severity: ofRemedy[0]!.severity,
    action: ofRemedy[0]!.action,
    findings: [...Map.groupBy(ofRemedy, unnamed)].map(([message, same]) => ({
      message: same.length > 1 ? message.replace(COUNT, '$& each') : message,
      accountIds: same.flatMap(({ account_id: id }) => id ?? []),
    })),
  }));
}

/** The problems of the newest ended sync, each with its remedy; “Sync now” is below. */
export function ProblemList(view: ShownConnection) {
  const { connection, problems, accountNames } = view;
  const { staleness, missing_accounts: missing } = connection;
  // Problems that need the person are shown above.
  const others = problems.filter(({ message }) => message !== connection.status_reason);
  const old = staleness.level === 'stale' ? staleness.message : null;
  return (
    <>
      {groupProblems(others, accountNames).map((group) => (
        <Problem key={`${group.kind} ${group.action}`} group={group} {...view} />
      ))}
      {others.length === 0 && old && <Notice kind="warn">{old}</Notice>}
      {missing.length > 0 && (
        <Notice kind="warn">
          The bank no longer lists{' '}
          <Names of={missing.map(({ account_id: id, name }) => ({ name, href: `/accounts/${id}` }))} max={Infinity} />.{' '}
          {missing.length === 1 ? 'Its' : 'Their'} history is kept.
        </Notice>
      )}
    </>
  );
}

function Problem({ group, connection, provider, accountNames }: ShownConnection & { group: ProblemGroup }) {
  const { kind, severity, action, findings } = group;
  const wantsSecret = provider !== null && needsNewSecret(kind);
  return (
    <Notice kind={severity === 'note' ? 'done' : 'warn'}>
      {findings.map((finding) => (
        <Finding key={finding.message} finding={finding} accountNames={accountNames} />
      ))}
      <p class="small">
        {wantsSecret ? newSecret(provider) : whatToDo(action)}{' '}
        {provider && kind === 'payment_required' && <SiteLink provider={provider} />}
      </p>
      {wantsSecret && (
        <p>
          <a class="button second small" href={`/connections/${connection.id}#credential`}>
            New {provider.secret.inSentence}
          </a>
        </p>
      )}
    </Notice>
  );
}

function Finding({ finding, accountNames }: { finding: ProblemFinding } & Pick<ShownConnection, 'accountNames'>) {
  const { message, accountIds } = finding;
  const accounts = accountIds.map((id) => ({ name: accountNames.get(id) ?? 'An account', href: `/accounts/${id}` }));
  return (
    <>
      <p>
        {accounts.length > 0 && (
          <>
            <Names of={accounts} max={Infinity} />
            {': '}
          </>
        )}
        {message}
      </p>
    </>
  );
}

function needsNewSecret(kind: SyncProblemResponse['kind']): boolean {
  return kind === 'token_rejected' || kind === 'access_revoked';
}

/** The API's advice in this provider's terms. */
function newSecret({ secret, texts }: ProviderDescriptor): string {
  return `Get a new ${secret.inSentence} from ${texts.name} and reconnect with it. Accounts and history stay.`;
}

/** No advice when no action is needed. */
function whatToDo(action: string): string {
  const said = action.replace(/^No action needed\. /, '');
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** Leads to the provider's own site, beside ours. */
export function SiteLink({ provider, look }: { provider: ProviderDescriptor; look?: string }) {
  const { href, text } = provider.texts.site;
  return (
    <a class={look} href={href} target="_blank" rel="noreferrer">
      {text} ↗
    </a>
  );
}

/** Where a person pastes what the provider gave them. */
export function SecretField({ id, label }: { id?: string; label: string }) {
  return <Field id={id} name="secret" label={label} required isSecret autocomplete="off" spellcheck={false} />;
}
