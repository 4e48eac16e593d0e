import type { ListedSession } from '../../auth/sessions.service.js';
import { ButtonForm } from '../components/form.js';
import { Moment } from '../components/when.js';

/** The person's sessions, with a way to end each. */
export function SignedInDevices({ sessions }: { sessions: readonly ListedSession[] }) {
  return (
    <section class="card" id="devices">
      <h2>Where you are signed in</h2>
      <p class="quiet">A sign-in lasts 90 days, or 30 days without use.</p>
      <ul class="lines">
        {sessions.map((session) => (
          <DeviceLine key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <ButtonForm action="/settings/sessions/end" look="second">
          Sign out everywhere else
        </ButtonForm>
      )}
    </section>
  );
}

function DeviceLine({ session }: { session: ListedSession }) {
  const { id, device, clientAddress, createdAt, lastSeenAt, isCurrent } = session;
  const name = device ?? 'Unknown device';
  return (
    <li class="line">
      <div>
        <p>
          <b>{name}</b> {isCurrent && <span class="badge">This device</span>}
        </p>
        <p class="quiet small">
          {clientAddress && `${clientAddress} · `}signed in <Moment at={createdAt} />
          {' · last used '}
          <Moment at={lastSeenAt} />
        </p>
      </div>
      {!isCurrent && (
        <ButtonForm action={`/settings/sessions/${id}/end`} label={`Sign out ${name}`}>
          Sign out
        </ButtonForm>
      )}
    </li>
  );
}
