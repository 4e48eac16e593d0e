import { renderSVG } from 'uqr';
import { RECOVERY_CODES, type SecondFactorState } from '../../auth/second-factor/second-factor.service.js';
import { ConfirmPassword, Field, FoldedForm, Form, FormCard, Submit } from '../components/form.js';
import { CopyButton, Once, type ShownOnce } from '../components/shown-once.js';
import { Moment } from '../components/when.js';
import { Page } from '../layout/document.js';

const PATH = '/settings/second-factor';

/** New recovery codes. */
export interface MadeCodes {
  codes: readonly string[];
}

interface SecondFactorPageProps {
  state: SecondFactorState;
  /** The setup in progress. */
  enrolment: { secret: string; uri: string } | null;
  made: ShownOnce<MadeCodes>;
}

export function SecondFactorPage({ state, enrolment, made }: SecondFactorPageProps) {
  return (
    <Page
      title="Second factor"
      back={{ href: '/settings', text: 'Settings' }}
      lead="A code from an authenticator app on your phone, asked for after your password."
      isReading
    >
      <Once made={made} again="Recovery codes are shown only once. Create new ones if you need them.">
        {({ codes }) => <NewCodes codes={codes} />}
      </Once>
      {state.onSince && <TurnedOn {...state} />}
      {enrolment && <Enrolment {...enrolment} />}
      {!state.onSince && !enrolment && <TurnedOff />}
    </Page>
  );
}

function NewCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section class="card" role="status">
      <h2>Your recovery codes</h2>
      <p>Each signs you in once if you lose your phone. Keep them somewhere safe: they are shown only once.</p>
      <pre class="secret codes" id="recovery-codes">
        {codes.join('\n')}
      </pre>
      <p>
        <CopyButton of="recovery-codes" name="Copy codes" />
      </p>
    </section>
  );
}

function TurnedOff() {
  return (
    <FormCard title="Set up an authenticator app" action={PATH} submit="Set up" look="">
      <p>Signing in then takes your password and a code. API keys work as before.</p>
      <ConfirmPassword id="factor_password" />
    </FormCard>
  );
}

function Enrolment({ secret, uri }: { secret: string; uri: string }) {
  const picture = Buffer.from(renderSVG(uri, { border: 2 })).toString('base64');
  return (
    <section class="card">
      <h2>Set up an authenticator app</h2>
      <p>Scan this with the app, or type the key into it.</p>
      <p>
        <img
          class="qr-code"
          src={`data:image/svg+xml;base64,${picture}`}
          alt="QR code of the key below"
          width="200"
          height="200"
        />
      </p>
      <p>
        <code class="secret" id="factor-key">
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </code>
      </p>
      <Form action={`${PATH}/confirm`} class="stack">
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          required
          isSecret
          hint="The six digits that the app shows now."
        />
        <Submit>Turn on</Submit>
      </Form>
    </section>
  );
}

function TurnedOn({ onSince, recoveryCodesLeft }: SecondFactorState) {
  return (
    <section class="card">
      <h2>
        Authenticator app <span class="badge good">On</span>
      </h2>
      <p class="quiet">
        Since <Moment at={onSince!} /> · {recoveryCodesLeft} of {RECOVERY_CODES} recovery codes left
      </p>
      <Form action={`${PATH}/recovery-codes`} class="stack">
        <p class="quiet small">New recovery codes replace the old ones, which stop working.</p>
        <ConfirmPassword id="codes_password" />
        <Submit class="second">Create new recovery codes</Submit>
      </Form>
      <FoldedForm title="Turn off" action={`${PATH}/remove`} submit="Turn off" look="danger">
        <p>Your password alone will sign you in. The recovery codes are deleted.</p>
        <ConfirmPassword id="remove_password" />
      </FoldedForm>
    </section>
  );
}
