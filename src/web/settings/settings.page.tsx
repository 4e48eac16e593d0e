import { NUMBER_FORMATS, type NumberFormat, type Preferences, type Theme, THEMES } from '../../auth/preferences.js';
import type { AuditEventRow } from '../../auth/audit/audit-event.response.js';
import type { ListedSession, Session } from '../../auth/sessions.service.js';
import type { OpenInvitation } from '../../auth/sign-up.service.js';
import { offeredTimeZones, presentName } from '../../platform/time/time-zones.js';
import { Page } from '../layout/document.js';
import { ButtonForm, FoldedForm, FormCard, NewPasswordField, PasswordField, SelectField } from '../components/form.js';
import { numberText, withNumberFormat } from '../components/money.js';
import { Notice } from '../components/notice.js';
import { usePageContext } from '../components/page-context.js';
import type { ShownOnce } from '../components/shown-once.js';
import { Moment } from '../components/when.js';
import { Activity } from './activity-page.controller.js';
import { Invitations, type MadeInvitation } from './invitations.js';

const DONE = new Map([
  ['time-zone', 'Time zone saved. Days of new balances begin by it.'],
  ['appearance', 'Appearance saved.'],
  ['password', 'Password changed. All your other sessions were signed out.'],
  ['session', 'That device is signed out.'],
  ['sessions', 'All other devices are signed out.'],
  ['invitation-revoked', 'Invitation revoked. Its link no longer works.'],
]);

const TOO_LATE = new Map([['invitation-gone', 'This invitation was used or has expired.']]);

export interface SettingsPageProps {
  session: Session;
  sessions: readonly ListedSession[];
  /** The newest events. */
  events: readonly AuditEventRow[];
  /** The action just completed. */
  done: string;
  invitation: ShownOnce<MadeInvitation>;
  openInvitations: readonly OpenInvitation[];
}

export function SettingsPage({ session, sessions, events, done, invitation, openInvitations }: SettingsPageProps) {
  const doneText = DONE.get(done);
  const lateText = TOO_LATE.get(done);
  return (
    <Page title="Settings" lead={`Signed in as ${session.email}`} isReading>
      {doneText && <Notice kind="done">{doneText}</Notice>}
      {lateText && <Notice kind="warn">{lateText}</Notice>}
      <TimeZone current={session.timeZone} />
      <Appearance preferences={session.preferences} />
      <Password email={session.email} />
      <MoreSettings
        title="Second factor"
        text="A code from an authenticator app, asked for after your password."
        href="/settings/second-factor"
        link="Set up or change"
      />
      <SettingsOfModules />
      <SignedInDevices sessions={sessions} />
      <Activity events={events} />
      <Invitations invitation={invitation} open={openInvitations} />
      <YourData />
    </Page>
  );
}

function TimeZone({ current }: { current: string }) {
  return (
    <FormCard title="Time zone" action="/settings/time-zone" submit="Save">
      <SelectField
        name="time_zone"
        label="Your time zone"
        selected={presentName(current)}
        options={offeredTimeZones(current).map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }))}
        hint="Sets when your days begin and end."
      />
    </FormCard>
  );
}

const THEME_TEXTS: Record<Theme, string> = {
  system: 'Same as your device',
  light: 'Light',
  dark: 'Dark',
};

function Appearance({ preferences: { theme, numberFormat } }: { preferences: Preferences }) {
  const exampleOf = (format: NumberFormat) => withNumberFormat(format, () => numberText(1_234_567.89));
  return (
    <FormCard title="Appearance" action="/settings/appearance" submit="Save">
      <SelectField
        name="theme"
        label="Theme"
        selected={theme}
        options={THEMES.map((value) => ({ value, text: THEME_TEXTS[value] }))}
      />
      <SelectField
        name="number_format"
        label="Number format"
        selected={numberFormat}
        options={NUMBER_FORMATS.map((value) => ({ value, text: exampleOf(value) }))}
        hint="On these pages only. The API and its files stay the same."
      />
    </FormCard>
  );
}

function Password({ email }: { email: string }) {
  return (
    <FormCard title="Password" action="/settings/password" submit="Change password">
      {/* For password managers, which want to know whose password it is. */}
      <input type="hidden" name="username" autocomplete="username" value={email} />
      <PasswordField name="password" label="Current password" />
      <NewPasswordField name="new_password" label="New password" />
    </FormCard>
  );
}

/** A part of the settings that has a page of its own. */
function SettingsOfModules() {
  const links = usePageContext().links.filter((link) => link.place === 'settings');
  return (
    <>
      {links.map(({ path, text, about, link }) => (
        <MoreSettings key={path} title={text} text={about} href={path} link={link} />
      ))}
    </>
  );
}

function MoreSettings({ title, text, href, link }: Record<'title' | 'text' | 'href' | 'link', string>) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="quiet">{text}</p>
      <p>
        <a class="button second" href={href}>
          {link}
        </a>
      </p>
    </section>
  );
}

function YourData() {
  return (
    <section class="card">
      <h2>Your data</h2>
      <p class="quiet">Everything stored about you in one file, with one JSON object per line.</p>
      <p>
        <a class="button second" href="/settings/export">
          Export everything
        </a>
      </p>
      <FoldedForm
        title="Delete everything"
        action="/settings/delete"
        submit="Delete everything permanently"
        look="danger"
      >
        <p>
          Deletes your login, accounts, whole history, connections and keys. This cannot be undone, and banks may not
          provide old transactions again.
        </p>
        <PasswordField name="delete_password" label="Your password" />
      </FoldedForm>
    </section>
  );
}

/** The person's sessions, with a way to end each. */
function SignedInDevices({ sessions }: { sessions: readonly ListedSession[] }) {
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
