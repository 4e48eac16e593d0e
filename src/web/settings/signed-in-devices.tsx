import type { ListedSession } from '../../auth/sessions.service.js';
import { Form } from '../components/form.js';
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
        <Form action="/settings/sessions/end">
          <button type="submit" class="second">
            Sign out everywhere else
          </button>
        </Form>
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
          {clientAddress && `${clientAddress} · `}signed in <Moment at={createdAt.toISOString()} />
          {' · last used '}
          <Moment at={lastSeenAt.toISOString()} />
        </p>
      </div>
      {!isCurrent && (
        <Form action={`/settings/sessions/${id}/end`}>
          <button type="submit" class="second small" aria-label={`Sign out ${name}`}>
            Sign out
          </button>
        </Form>
      )}
    </li>
  );
}
