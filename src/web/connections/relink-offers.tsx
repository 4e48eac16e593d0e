import type { RelinkOfferResponse } from '../../sync/connections/connection-parts.response.js';
import { Form } from '../parts/form.js';
import { Notice } from '../parts/notice.js';

/** Accounts that are gone and probably came back as others: the person says whether they did. */
export function RelinkOffers({ offers }: { offers: readonly RelinkOfferResponse[] }) {
  return offers.map(({ account_id: goneId, same_as_account_id: hereId, message }) => (
    <Notice key={`${goneId} ${hereId}`} kind="warn">
      <p>{message} Relinking cannot be undone.</p>
      <div class="actions">
        <Answer goneId={goneId} hereId={hereId} path="relink" text="Relink" />
        <Answer goneId={goneId} hereId={hereId} path="keep-apart" text="Keep apart" />
      </div>
    </Notice>
  ));
}

function Answer({ goneId, hereId, path, text }: { goneId: string; hereId: string; path: string; text: string }) {
  return (
    <Form action={`/accounts/${goneId}/${path}`}>
      <input type="hidden" name="other" value={hereId} />
      <button type="submit" class="second small">
        {text}
      </button>
    </Form>
  );
}
