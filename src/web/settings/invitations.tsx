import { INVITATION_DAYS, type OpenInvitation } from '../../auth/sign-up.service.js';
import { ConfirmPassword } from '../components/password.js';
import { CopyableSecret } from '../components/copyable-secret.js';
import { ButtonForm, Form, Submit } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { useTimeZone } from '../components/page-context.js';
import { Moment, momentText } from '../components/when.js';
import type { ShownOnce } from '../layout/sent-twice.js';

interface InvitationsProps {
  /** The address of a new one, which is shown once. */
  invitation: ShownOnce<{ address: string }>;
  open: readonly OpenInvitation[];
  error: string | undefined;
}

export function Invitations({ invitation, open, error }: InvitationsProps) {
  return (
    <section class="card" id="invitations">
      <h2>Invite someone</h2>
      <p class="quiet">
        They get a login of their own and see none of your data. An invitation works once, within {INVITATION_DAYS}{' '}
        days.
      </p>
      {invitation === 'shown-before' && (
        <Notice kind="warn">An invitation is shown only once. Create another if you need one.</Notice>
      )}
      {invitation && invitation !== 'shown-before' && (
        <div role="status">
          <CopyableSecret id="invitation" text={invitation.address} copy="Copy link" />
        </div>
      )}
      {open.length > 0 && (
        <ul class="lines" aria-label="Open invitations">
          {open.map((each) => (
            <InvitationLine key={each.id} invitation={each} />
          ))}
        </ul>
      )}
      <Form action="/settings/invitations" class="stack">
        <ConfirmPassword id="invitation_password" error={error} />
        <Submit class="second">Create invitation</Submit>
      </Form>
    </section>
  );
}

function InvitationLine({ invitation }: { invitation: OpenInvitation }) {
  const { id, createdAt, expiresAt } = invitation;
  const created = momentText(createdAt.toISOString(), useTimeZone());
  return (
    <li class="line">
      <div>
        <p>
          Created <Moment at={createdAt.toISOString()} />
        </p>
        <p class="quiet small">
          Not used yet · expires <Moment at={expiresAt.toISOString()} />
        </p>
      </div>
      <ButtonForm action={`/settings/invitations/${id}/revoke`} label={`Revoke invitation created ${created}`}>
        Revoke
      </ButtonForm>
    </li>
  );
}
