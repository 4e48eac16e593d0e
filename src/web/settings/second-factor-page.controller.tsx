import { Body, Get, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import { renderSVG } from 'uqr';
import { PasswordConfirmationService } from '../../auth/password-confirmation.service.js';
import {
  RECOVERY_CODES,
  SecondFactorService,
  type SecondFactorState,
} from '../../auth/second-factor/second-factor.service.js';
import type { Session } from '../../auth/sessions.service.js';
import { IdempotencyKeysService } from '../../http/idempotency/idempotency-keys.service.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { confirmPassword, secretRefusal } from '../components/password-refusal.js';
import { FormId, takeShown } from '../layout/sent-twice.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { CopyButton, Once, type ShownOnce } from '../components/shown-once.js';
import { ConfirmPassword, Field, FoldedForm, Form, FormCard, Submit } from '../components/form.js';
import { Moment } from '../components/when.js';
import { Page } from '../layout/document.js';

const HERE = '/settings/second-factor';

@WebPage('settings/second-factor')
export class SecondFactorPageController {
  constructor(
    private readonly secondFactor: SecondFactorService,
    private readonly forms: IdempotencyKeysService,
    private readonly confirmation: PasswordConfirmationService,
  ) {}

  @Get()
  async show(
    @CurrentSession() session: Session,
    @Query('codes') codes: unknown,
    @Req() request: Request,
  ): Promise<PageReply> {
    return this.#page(session, await takeShown<MadeCodes>(this.forms, session, codes, request));
  }

  @Post()
  async begin(@CurrentSession() session: Session, @Body() body: Fields, @Req() request: Request): Promise<PageReply> {
    return this.#withPassword(session, body, request, async () => {
      await this.secondFactor.begin(session.userId);
      return redirectTo(HERE);
    });
  }

  /** Turns it on with a first code. */
  @Post('confirm')
  async confirm(
    @CurrentSession() session: Session,
    @Body() body: Fields,
    @FormId() formId: string,
    @Req() request: Request,
  ): Promise<PageReply> {
    // The page then asks for the password again.
    if (!session.isPasswordFresh) return redirectTo(HERE);
    const check = await this.secondFactor.confirm(session, textOf(body, 'code'));
    if (check === 'right') return this.#showNewCodes(session, formId);
    // The form was sent twice, and the first one turned it on.
    if ((await this.secondFactor.state(session.userId)).onSince) return redirectTo(`${HERE}?codes=${formId}`);
    const wrong = 'This code is wrong. Check that your phone’s clock is right.';
    const { message, status } = secretRefusal(check, wrong, request);
    return refuse(await this.#page(session), { code: message }, status);
  }

  @Post('recovery-codes')
  async renewCodes(
    @CurrentSession() session: Session,
    @Body() body: Fields,
    @FormId() formId: string,
    @Req() request: Request,
  ): Promise<PageReply> {
    return this.#withPassword(session, body, request, async () => {
      const { onSince } = await this.secondFactor.state(session.userId);
      return onSince ? this.#showNewCodes(session, formId) : redirectTo(HERE);
    });
  }

  @Post('remove')
  async remove(@CurrentSession() session: Session, @Body() body: Fields, @Req() request: Request): Promise<PageReply> {
    return this.#withPassword(session, body, request, async () => {
      await this.secondFactor.remove(session.userId, 'second_factor_removed');
      return redirectTo(HERE);
    });
  }

  async #showNewCodes({ userId }: Session, formId: string): Promise<PageReply> {
    await this.forms.sendOnce({ userId, formId }, async (): Promise<MadeCodes> => {
      return { codes: await this.secondFactor.renewRecoveryCodes(userId) };
    });
    return redirectTo(`${HERE}?codes=${formId}`);
  }

  async #withPassword(
    session: Session,
    body: Fields,
    request: Request,
    work: () => Promise<PageReply>,
  ): Promise<PageReply> {
    const refusal = await confirmPassword(this.confirmation, session, body, request);
    if (!refusal) return work();
    return refuse(await this.#page(session), { confirm_password: refusal.message }, refusal.status);
  }

  async #page(session: Session, made: ShownOnce<MadeCodes> = null): Promise<VNode> {
    const state = await this.secondFactor.state(session.userId);
    // A setup that was left shows its secret to nobody who finds the session open; setting up makes a new one.
    const enrolment = session.isPasswordFresh ? await this.secondFactor.enrolment(session) : null;
    return <SecondFactorPage state={state} enrolment={enrolment} made={made} />;
  }
}

const PATH = '/settings/second-factor';

/** New recovery codes. */
interface MadeCodes {
  codes: readonly string[];
}

interface SecondFactorPageProps {
  state: SecondFactorState;
  /** The setup in progress. */
  enrolment: { secret: string; uri: string } | null;
  made: ShownOnce<MadeCodes>;
}

function SecondFactorPage({ state, enrolment, made }: SecondFactorPageProps) {
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
