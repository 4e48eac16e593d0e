import { MIN_PASSWORD_CHARS } from '../../auth/password.js';
import type { AuditEventRow } from '../../auth/audit/audit-event.response.js';
import type { ListedSession, Session } from '../../auth/sessions.service.js';
import type { OpenInvitation } from '../../auth/sign-up.service.js';
import { Page } from '../layout/document.js';
import { Field, type FieldErrors, SelectField } from '../components/field.js';
import { Form, Submit } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { Activity } from './activity.js';
import { Appearance } from './appearance.js';
import { Invitations } from './invitations.js';
import { SignedInDevices } from './signed-in-devices.js';
import { offeredTimeZones, presentName } from './time-zones.js';
import { YourData } from './your-data.js';

const DONE = new Map([
  ['time-zone', 'Time zone saved. It applies from the next sync.'],
  ['appearance', 'Appearance saved.'],
  ['password', 'Password changed. All your other sessions were signed out.'],
  ['session', 'That device is signed out.'],
  ['sessions', 'All other devices are signed out.'],
  ['invitation-revoked', 'Invitation revoked. Its link no longer works.'],
]);

export interface SettingsPageProps {
  session: Session;
  sessions: readonly ListedSession[];
  /** The newest events. */
  events: readonly AuditEventRow[];
  /** The action just completed. */
  done: string | null;
  errors: FieldErrors;
  /** The address of a new invitation, shown once. */
  invitation: { address: string } | 'shown-before' | null;
  openInvitations: readonly OpenInvitation[];
}

export function SettingsPage({
  session,
  sessions,
  events,
  done,
  errors,
  invitation,
  openInvitations,
}: SettingsPageProps) {
  const doneText = done === null ? undefined : DONE.get(done);
  return (
    <Page title="Settings" lead={`Signed in as ${session.email}`} isReading>
      {doneText && <Notice kind="done">{doneText}</Notice>}
      <TimeZone current={session.timeZone} errors={errors} />
      <Appearance preferences={session.preferences} />
      <Password email={session.email} errors={errors} />
      <SecondFactor />
      <Webhooks />
      <SignedInDevices sessions={sessions} />
      <Activity events={events} />
      <Invitations invitation={invitation} open={openInvitations} error={errors.confirm_password} />
      <YourData errors={errors} />
    </Page>
  );
}

function TimeZone({ current, errors }: { current: string; errors: FieldErrors }) {
  return (
    <section class="card">
      <h2>Time zone</h2>
      <Form action="/settings/time-zone" class="stack">
        <SelectField
          name="time_zone"
          label="Your time zone"
          selected={presentName(current)}
          options={offeredTimeZones(current).map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }))}
          error={errors.time_zone}
          hint="Sets when your days begin and end."
        />
        <Submit class="second">Save</Submit>
      </Form>
    </section>
  );
}

function Password({ email, errors }: { email: string; errors: FieldErrors }) {
  return (
    <section class="card">
      <h2>Password</h2>
      <Form action="/settings/password" class="stack">
        {/* For password managers, which want to know whose password it is. */}
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <Field
          name="password"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          error={errors.password}
        />
        <Field
          name="new_password"
          label="New password"
          type="password"
          autocomplete="new-password"
          required
          minLength={MIN_PASSWORD_CHARS}
          error={errors.new_password}
          hint={`At least ${MIN_PASSWORD_CHARS} characters.`}
        />
        <Submit class="second">Change password</Submit>
      </Form>
    </section>
  );
}

function Webhooks() {
  return (
    <section class="card">
      <h2>Webhooks</h2>
      <p class="quiet">Tidemark can notify your own programs of changes.</p>
      <p>
        <a class="button second" href="/settings/webhooks">
          Add or change
        </a>
      </p>
    </section>
  );
}

function SecondFactor() {
  return (
    <section class="card">
      <h2>Second factor</h2>
      <p class="quiet">A code from an authenticator app, asked for after your password.</p>
      <p>
        <a class="button second" href="/settings/second-factor">
          Set up or change
        </a>
      </p>
    </section>
  );
}
