import { MIN_PASSWORD_CHARS } from '../../auth/password-rules.js';
import type { AuditEventRow } from '../../auth/audit/audit-event.response.js';
import type { ListedSession, Session } from '../../auth/sessions.service.js';
import { INVITATION_DAYS } from '../../auth/sign-up.service.js';
import { Document } from '../layout/document.js';
import { ConfirmPassword } from '../components/confirm-password.js';
import { Field, type FieldErrors, SelectField } from '../components/field.js';
import { Form } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { Activity } from './activity.js';
import { Appearance } from './appearance.js';
import { SignedInDevices } from './signed-in-devices.js';
import { offeredTimeZones, presentName } from './time-zones.js';
import { YourData } from './your-data.js';

const DONE: Record<string, string> = {
  'time-zone': 'Time zone saved. It applies from the next sync.',
  appearance: 'Appearance saved.',
  password: 'Password changed. All your other sessions were signed out.',
  sessions: 'Signed out there.',
};

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
}

export function SettingsPage({ session, sessions, events, done, errors, invitation }: SettingsPageProps) {
  const doneText = done === null ? undefined : DONE[done];
  return (
    <Document title="Settings">
      <div class="page-head">
        <div>
          <h1>Settings</h1>
          <p class="quiet">Signed in as {session.email}</p>
        </div>
      </div>
      <div class="reading stack">
        {doneText && <Notice kind="done">{doneText}</Notice>}
        <TimeZone current={session.timeZone} errors={errors} />
        <Appearance preferences={session.preferences} />
        <Password email={session.email} errors={errors} />
        <SecondFactor />
        <SignedInDevices sessions={sessions} timeZone={session.timeZone} />
        <Activity events={events} timeZone={session.timeZone} />
        <Invitations invitation={invitation} error={errors.confirm_password} />
        <YourData errors={errors} />
      </div>
    </Document>
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
        <div>
          <button type="submit" class="second">
            Save
          </button>
        </div>
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
        <div>
          <button type="submit" class="second">
            Change password
          </button>
        </div>
      </Form>
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

function Invitations({ invitation, error }: Pick<SettingsPageProps, 'invitation'> & { error: string | undefined }) {
  return (
    <section class="card">
      <h2>Invite someone</h2>
      <p class="quiet">
        The person gets a login of their own and sees none of your data. An invitation works once, for {INVITATION_DAYS}{' '}
        days.
      </p>
      {invitation === 'shown-before' && (
        <Notice kind="warn">
          This invitation was shown before, and is shown only once. Create another if you need one.
        </Notice>
      )}
      {invitation && invitation !== 'shown-before' && (
        <div class="secret-line" role="status">
          <code class="secret" id="invitation">
            {invitation.address}
          </code>
          <button type="button" class="second" data-copy="invitation" hidden>
            Copy link
          </button>
        </div>
      )}
      <Form action="/settings/invitations" class="stack">
        <ConfirmPassword id="invitation_password" error={error} />
        <div>
          <button type="submit" class="second">
            Create invitation
          </button>
        </div>
      </Form>
    </section>
  );
}
