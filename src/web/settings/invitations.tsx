import { INVITATION_DAYS, type OpenInvitation } from '../../auth/sign-up.service.js';
import { ButtonForm, ConfirmPassword, Form, Submit } from '../components/form.js';
import { usePageContext, useTimeZone } from '../components/page-context.js';
import { CopyableSecret, Once, type ShownOnce } from '../components/shown-once.js';
import { Moment, momentText } from '../components/when.js';

/** What the form has made, until the page shows it. */
export interface MadeInvitation {
  /** Its text. */
  invitation: string;
}

interface InvitationsProps {
  invitation: ShownOnce<MadeInvitation>;
  open: readonly OpenInvitation[];
}

export function Invitations({ invitation, open }: InvitationsProps) {
  const { origin } = usePageContext();
  return (
    <section class="card" id="invitations">
      <h2>Invite someone</h2>
      <p class="quiet">
        They get a login of their own and see none of your data. An invitation works once, within {INVITATION_DAYS}{' '}
        days.
      </p>
      <Once made={invitation} again="An invitation is shown only once. Create another if you need one.">
        {({ invitation }) => (
          <div role="status">
            <CopyableSecret id="invitation" text={`${origin}/sign-up?invitation=${invitation}`} copy="Copy link" />
          </div>
        )}
      </Once>
      {open.length > 0 && (
        <ul class="lines" aria-label="Open invitations">
          {open.map((each) => (
            <InvitationLine key={each.id} invitation={each} />
          ))}
        </ul>
      )}
      <Form action="/settings/invitations" class="stack">
        <ConfirmPassword id="invitation_password" />
        <Submit class="second">Create invitation</Submit>
      </Form>
    </section>
  );
}

function InvitationLine({ invitation }: { invitation: OpenInvitation }) {
  const { id, createdAt, expiresAt } = invitation;
  const created = momentText(createdAt, useTimeZone());
  return (
    <li class="line">
      <div>
        <p>
          Created <Moment at={createdAt} />
        </p>
        <p class="quiet small">
          Not used yet · expires <Moment at={expiresAt} />
        </p>
      </div>
      <ButtonForm action={`/settings/invitations/${id}/revoke`} label={`Revoke invitation created ${created}`}>
        Revoke
      </ButtonForm>
    </li>
  );
}
